import { signedIn } from "../../../http/access.ts";
import { empty, json, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Draft, SaveDraft } from "../../../wire/draft.ts";
import { presentDraft } from "./present.ts";
import { type DraftDeps, dropDraft, findDrafts, saveDraft } from "./service/drafts.ts";

/** More than a draft can need, including JSON escapes. */
const bodyLimitBytes = 524_288;

const own = { path: "/user/drafts", tag: "user", isUnlisted: true, access: signedIn, scope: "user", refusesPublicOnly: true } as const;

/** Unsent form input of the caller, saved here by the pages' scripts and visible only to the caller. */
export const draftRoutes = (deps: DraftDeps): Route[] => [
  defineRoute({
    ...own,
    id: "userListDrafts",
    method: "GET",
    summary: "Get the caller's drafts for some forms",
    query: { forms: query.text("Paths of the forms, one per line") },
    answers: list(Draft, "none"),
    handle: async ({ actor, query }) => {
      const drafts = await findDrafts(deps, actor, (query.forms ?? "").split("\n"));
      return { items: drafts.map(presentDraft), total: drafts.length };
    },
  }),
  defineRoute({
    ...own,
    id: "userSaveDraft",
    method: "PUT",
    summary: "Save the caller's input for a form",
    body: SaveDraft,
    bodyLimitBytes,
    answers: json(200, Draft),
    handle: async ({ actor, body }) => presentDraft(await saveDraft(deps, actor, body.form, body.fields)),
  }),
  defineRoute({
    ...own,
    id: "userDropDraft",
    method: "DELETE",
    summary: "Delete a draft",
    query: { form: query.text("Path of the form") },
    answers: empty(),
    handle: ({ actor, query }) => dropDraft(deps, actor, query.form ?? ""),
  }),
];
