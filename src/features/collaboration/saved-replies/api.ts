import type { Db } from "../../../db/db.ts";
import { signedIn } from "../../../http/access.ts";
import { json } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { SavedReply } from "../../../wire/saved-reply.ts";
import { getReply } from "./service.ts";

/** The caller's saved replies, for the scripts of the comment form. */
export const replyRoutes = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    id: "userGetSavedReply",
    method: "GET",
    path: "/user/saved_replies/{id}",
    tag: "user",
    summary: "Get a saved reply of the caller",
    isUnlisted: true,
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    answers: json(200, SavedReply),
    refusals: { 404: "notFound" },
    handle: ({ actor, params }) => getReply(deps, actor, params.id),
  }),
];
