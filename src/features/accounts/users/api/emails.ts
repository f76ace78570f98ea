import type { Db } from "../../../../db/db.ts";
import { signedIn, siteAdmin } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateEmailOption, DeleteEmailOption, Email, OwnEmailOption } from "../../../../wire/email.ts";
import { list as listOf } from "../../../../wire/schema.ts";
import { presentEmail, presentOwnEmail } from "../present.ts";
import { addEmails, choosePrimaryEmail, listEmails, removeEmails, searchEmails } from "../service/emails.ts";

/** Email addresses: users manage their own, administrators read all. */
export function emailRoutes(deps: { readonly db: Db }): Route[] {
  return [
    defineRoute({
      id: "userListEmails",
      method: "GET",
      path: "/user/emails",
      tag: "user",
      summary: "List the email addresses of the authenticated user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: list(Email, "none"),
      handle: async ({ actor }) => {
        const emails = await listEmails(deps, actor);
        return { total: emails.length, items: emails.map(presentOwnEmail) };
      },
    }),
    defineRoute({
      id: "userAddEmail",
      method: "POST",
      path: "/user/emails",
      tag: "user",
      summary: "Add email addresses to the caller",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      body: CreateEmailOption,
      answers: json(201, listOf(Email)),
      refusals: { 422: "validationError" },
      handle: async ({ actor, body }) => (await addEmails(deps, actor, body.emails ?? [])).map(presentOwnEmail),
    }),
    defineRoute({
      id: "userDeleteEmail",
      method: "DELETE",
      path: "/user/emails",
      tag: "user",
      summary: "Delete the caller's email addresses, except the primary one",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      body: DeleteEmailOption,
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, body }) => removeEmails(deps, actor, body.emails ?? []),
    }),
    defineRoute({
      id: "userChoosePrimaryEmail",
      method: "PUT",
      path: "/user/emails/primary",
      tag: "user",
      summary: "Set the caller's primary email address to another verified one",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      body: OwnEmailOption,
      answers: json(200, listOf(Email)),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, body }) => (await choosePrimaryEmail(deps, actor, body.email)).map(presentOwnEmail),
    }),
    defineRoute({
      id: "adminGetAllEmails",
      method: "GET",
      path: "/admin/emails",
      tag: "admin",
      summary: "List the email addresses of all users",
      access: siteAdmin,
      scope: "admin",
      answers: list(Email, "links"),
      refusals: { 403: "forbidden" },
      handle: async ({ page }) => {
        const found = await searchEmails(deps, "", page);
        return { total: found.total, items: found.items.map(presentEmail) };
      },
    }),
    defineRoute({
      id: "adminSearchEmails",
      method: "GET",
      path: "/admin/emails/search",
      tag: "admin",
      summary: "Search the email addresses of all users",
      access: siteAdmin,
      scope: "admin",
      query: { q: query.text("Part of an address or of its user's name") },
      answers: list(Email, "links"),
      refusals: { 403: "forbidden" },
      handle: async ({ query, page }) => {
        const found = await searchEmails(deps, query.q ?? "", page);
        return { total: found.total, items: found.items.map(presentEmail) };
      },
    }),
  ];
}
