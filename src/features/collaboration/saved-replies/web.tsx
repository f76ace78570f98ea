import type { UserActor } from "../../../access/actor.ts";
import { lengths } from "../../../core/lengths.ts";
import type { Db } from "../../../db/db.ts";
import { signedIn } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { accountPaths, renderAccountSettings } from "../../../ui/settings.tsx";
import { inPlace, text } from "../../../wire/schema.ts";
import type { ReplyInput } from "./model.ts";
import { createReply, editReply, getReply, listReplies, removeReply } from "./service.ts";
import { RepliesView } from "./views/replies.tsx";

interface ReplyPageDeps {
  readonly db: Db;
}

const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = accountPaths.replies;
const ReplyForm = inPlace({ title: text(lengths.line), content: text(lengths.comment) });

/** Settings pages of the caller's saved replies. */
export const replyPages = (deps: ReplyPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "savedRepliesPage",
    method: "GET",
    path,
    summary: "The caller's saved replies",
    query: { edit: query.text("Id of the reply in the form") },
    handle: (request) => repliesPage(deps, request, request.query.edit),
  }),
  defineRoute({
    ...page,
    id: "createSavedReply",
    method: "POST",
    path,
    summary: "Save a reply",
    body: ReplyForm,
    handle: (request) => {
      const { actor, body } = request;
      const save = async (): Promise<RawReply> => {
        await createReply(deps, actor, body);
        return savedAt(path);
      };
      return submit(save, (problem) => repliesPage(deps, request, undefined, { values: body, problem }));
    },
  }),
  defineRoute({
    ...page,
    id: "editSavedReply",
    method: "POST",
    path: `${path}/{id}`,
    summary: "Change a saved reply",
    body: ReplyForm,
    handle: (request) => {
      const { actor, body, params } = request;
      const save = async (): Promise<RawReply> => {
        await editReply(deps, actor, params.id, body);
        return savedAt(path);
      };
      return submit(save, (problem) => repliesPage(deps, request, params.id, { values: body, problem }));
    },
  }),
  defineRoute({
    ...page,
    id: "deleteSavedReply",
    method: "POST",
    path: `${path}/{id}/delete`,
    summary: "Delete a saved reply",
    body: inPlace({}),
    handle: async ({ actor, params }) => {
      await removeReply(deps, actor, params.id);
      return savedAt(path, "deleted");
    },
  }),
];

type OwnRequest = PageRequest & { readonly actor: UserActor };

/** @param edited id of the reply in the form; a new one by default */
async function repliesPage(deps: ReplyPageDeps, request: OwnRequest, edited: string | undefined, refused?: Refused<ReplyInput>): Promise<RawReply> {
  const present = edited === undefined ? undefined : await getReply(deps, request.actor, edited);
  const replies = await listReplies(deps, request.actor);
  const props = { replies, present, values: present ?? { title: "", content: "" }, formToken: formTokenOf(requireSession(request.session)), ...refused };
  return renderAccountSettings({ ...pageReader(request), section: "replies" }, <RepliesView {...props} />);
}
