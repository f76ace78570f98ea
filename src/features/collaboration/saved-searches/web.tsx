import type { UserActor } from "../../../access/actor.ts";
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
import { withQuery } from "../../../ui/addresses.ts";
import { accountPaths, renderAccountSettings } from "../../../ui/settings.tsx";
import { choice, inPlace, optional, text } from "../../../wire/schema.ts";
import { type SearchInput, searchKinds } from "./model.ts";
import { createSearch, editSearch, getSearch, listSearches, removeSearch } from "./service.ts";
import { SearchesView } from "./views/searches.tsx";

interface SearchPageDeps {
  readonly db: Db;
}

const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = accountPaths.searches;
const SearchForm = inPlace({ name: text(lengths.line), kind: choice(...searchKinds), query: text(lengths.path), from: optional(choice("list")) });

/** Settings pages of the caller's saved searches. */
export const searchPages = (deps: SearchPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "savedSearchesPage",
    method: "GET",
    path,
    summary: "The caller's saved searches",
    query: { edit: query.text("Id of the search in the form") },
    handle: (request) => searchesPage(deps, request, request.query.edit),
  }),
  defineRoute({
    ...page,
    id: "createSavedSearch",
    method: "POST",
    path,
    summary: "Save a search",
    body: SearchForm,
    handle: (request) => {
      const { actor, body } = request;
      const save = async (): Promise<RawReply> => {
        await createSearch(deps, actor, body);
        return body.from === "list" ? seeOther(withQuery(`/${body.kind}`, { q: body.query.trim() })) : savedAt(path);
      };
      return submit(save, (problem) => searchesPage(deps, request, undefined, { values: body, problem }));
    },
  }),
  defineRoute({
    ...page,
    id: "editSavedSearch",
    method: "POST",
    path: `${path}/{id}`,
    summary: "Change a saved search",
    body: SearchForm,
    handle: (request) => {
      const { actor, body, params } = request;
      const save = async (): Promise<RawReply> => {
        await editSearch(deps, actor, params.id, body);
        return savedAt(path);
      };
      return submit(save, (problem) => searchesPage(deps, request, params.id, { values: body, problem }));
    },
  }),
  defineRoute({
    ...page,
    id: "deleteSavedSearch",
    method: "POST",
    path: `${path}/{id}/delete`,
    summary: "Delete a saved search",
    body: inPlace({}),
    handle: async ({ actor, params }) => {
      await removeSearch(deps, actor, params.id);
      return savedAt(path, "deleted");
    },
  }),
];

type OwnRequest = PageRequest & { readonly actor: UserActor };

/** @param edited id of the search in the form; a new one by default */
async function searchesPage(deps: SearchPageDeps, request: OwnRequest, edited: string | undefined, refused?: Refused<SearchInput>): Promise<RawReply> {
  const present = edited === undefined ? undefined : await getSearch(deps, request.actor, edited);
  const searches = await listSearches(deps, request.actor);
  const props = {
    searches,
    present,
    values: present ?? ({ kind: "issues", name: "", query: "" } as const),
    formToken: formTokenOf(requireSession(request.session)),
    ...refused,
  };
  return renderAccountSettings({ ...pageReader(request), section: "searches" }, <SearchesView {...props} />);
}
