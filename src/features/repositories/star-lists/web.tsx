import type { UserActor } from "../../../access/actor.ts";
import { readId } from "../../../core/ids.ts";
import { lengths } from "../../../core/lengths.ts";
import type { Db } from "../../../db/db.ts";
import { signedIn } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, seeOther, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { accountPath, withQuery } from "../../../ui/addresses.ts";
import { accountPaths, renderAccountSettings } from "../../../ui/settings.tsx";
import { bool, inPlace, optional, text } from "../../../wire/schema.ts";
import type { StarListInput } from "./model.ts";
import { addToStarList, createStarList, editStarList, getStarList, listStarLists, removeFromStarList, removeStarList } from "./service.ts";
import { StarListsView } from "./views/settings.tsx";

interface StarListPageDeps {
  readonly db: Db;
}

const page = { ...settingsPage, tag: "user", access: signedIn, scope: ["user", "repository"], refusesPublicOnly: true } as const;
const path = accountPaths.starLists;
const ListForm = inPlace({ name: text(lengths.line), description: text(lengths.line), is_private: bool() });
const ContentsForm = inPlace({ repository: text(), add: optional(text()), remove: optional(text()), from: optional(text()) });

const inputOf = ({ name, description, is_private }: { readonly name: string; readonly description: string; readonly is_private: boolean }): StarListInput => ({
  name,
  description,
  isPrivate: is_private,
});

/** Settings pages of the caller's star lists. */
export const starListPages = (deps: StarListPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "starListsPage",
    method: "GET",
    path,
    summary: "The caller's star lists",
    query: { edit: query.text("Id of the list in the form") },
    handle: (request) => show(deps, request, request.query.edit),
  }),
  defineRoute({
    ...page,
    id: "createStarList",
    method: "POST",
    path,
    summary: "Create a star list",
    body: ListForm,
    handle: (request) => {
      const input = inputOf(request.body);
      const save = async (): Promise<RawReply> => {
        await createStarList(deps, request.actor, input);
        return savedAt(path);
      };
      return submit(save, (problem) => show(deps, request, undefined, { values: input, problem }));
    },
  }),
  defineRoute({
    ...page,
    id: "changeStarListContents",
    method: "POST",
    path: `${path}/contents`,
    summary: "Add a starred repository to a list, or remove it",
    body: ContentsForm,
    handle: async ({ actor, body }) => {
      const repositoryId = readId(body.repository);
      if (body.add) await addToStarList(deps, actor, { listId: readId(body.add), repositoryId });
      if (body.remove) await removeFromStarList(deps, actor, { listId: readId(body.remove), repositoryId });
      const list = body.from ? readId(body.from) : undefined;
      return seeOther(`${withQuery(accountPath(actor.name), { tab: "stars", list })}#lists-${repositoryId}`);
    },
  }),
  defineRoute({
    ...page,
    id: "editStarList",
    method: "POST",
    path: `${path}/{id}`,
    summary: "Change a star list",
    body: ListForm,
    handle: (request) => {
      const { actor, body, params } = request;
      const input = inputOf(body);
      const save = async (): Promise<RawReply> => {
        await editStarList(deps, actor, params.id, input);
        return savedAt(path);
      };
      return submit(save, (problem) => show(deps, request, params.id, { values: input, problem }));
    },
  }),
  defineRoute({
    ...page,
    id: "deleteStarList",
    method: "POST",
    path: `${path}/{id}/delete`,
    summary: "Delete a star list; the stars remain",
    body: inPlace({}),
    handle: async ({ actor, params }) => {
      await removeStarList(deps, actor, params.id);
      return savedAt(path, "deleted");
    },
  }),
];

type OwnRequest = PageRequest & { readonly actor: UserActor };

/** @param edited id of the list in the form; a new one by default */
async function show(deps: StarListPageDeps, request: OwnRequest, edited: string | undefined, refused?: Refused<StarListInput>): Promise<RawReply> {
  const { actor } = request;
  const present = edited === undefined ? undefined : await getStarList(deps, actor, actor.id, edited);
  const props = {
    lists: await listStarLists(deps, actor, actor.id),
    present,
    values: present ?? { name: "", description: "", isPrivate: false },
    formToken: formTokenOf(requireSession(request.session)),
    ...refused,
  };
  return renderAccountSettings({ ...pageReader(request), section: "starLists" }, <StarListsView {...props} />);
}
