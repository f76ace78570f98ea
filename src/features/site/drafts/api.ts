import { signedIn } from "../../../http/access.ts";
import { empty, json, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Draft, SaveDraft } from "../../../wire/draft.ts";
import { presentDraft } from "./present.ts";
import { type DraftDeps, dropDraft, findDrafts, saveDraft } from "./service/drafts.ts";

/** Beyond what a draft may have, escapes and all. */
const bodyLimitBytes = 524_288;

const own = { path: "/user/drafts", tag: "user", isUnlisted: true, access: signedIn, scope: "user", refusesPublicOnly: true } as const;

/** What the caller has typed into forms of pages and not sent yet: the pages' scripts keep it here, for him alone. */
export const draftRoutes = (deps: DraftDeps): Route[] => [
  defineRoute({
    ...own,
    id: "userListDrafts",
    method: "GET",
    summary: "The caller's drafts for some forms",
    query: { forms: query.text("Where the forms lead, one a line") },
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
    summary: "Keep what the caller has typed into a form",
    body: SaveDraft,
    bodyLimitBytes,
    answers: json(200, Draft),
    handle: async ({ actor, body }) => presentDraft(await saveDraft(deps, actor, body.form, body.fields)),
  }),
  defineRoute({
    ...own,
    id: "userDropDraft",
    method: "DELETE",
    summary: "Throw a draft away",
    query: { form: query.text("Where the form leads") },
    answers: empty(),
    handle: ({ actor, query }) => dropDraft(deps, actor, query.form ?? ""),
  }),
];
