import { type Actor, isUser } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Clock } from "../../../../../core/clock.ts";
import type { Page } from "../../../../../core/paging.ts";
import type { Db, Reader } from "../../../../../db/db.ts";
import { listAssignees } from "../../../../repositories/repos/service/collaborators.ts";
import { getRepository } from "../../../../repositories/repos/service/loaders.ts";
import { bulkChoices, planChoices } from "../../planning/service/side.ts";
import type { ListedKind } from "../../planning/sidebar-props.ts";
import { loadTaskProgress } from "../../tasks/service/progress.ts";
import { readTypedQuery, usualQuery } from "../query-language.ts";
import { countOfRepository } from "../store/totals.ts";
import { searchTyped } from "./typed-search.ts";

/** A request for a list page; `q` is the search as typed. */
interface ListPageRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly query: { readonly q?: string | undefined };
  readonly page: Page;
}

/** Most people in a filter menu. */
const maxPeople = 50;

/** The content of the list pages of issues and of pull requests. */
export async function loadListPage(deps: { readonly db: Db; readonly clock: Clock }, kind: ListedKind, { actor, repository, query, page }: ListPageRequest) {
  const typed = query.q ?? usualQuery;
  const searched = readTypedQuery(typed, deps.clock.now());
  const found = await searchTyped(deps, actor, { repository, query: searched, kind }, page);
  const bulk = await bulkChoices(deps, actor, repository, kind === "pulls");
  return {
    view: await getRepository(deps, actor, repository.id),
    choices: bulk,
    list: {
      kind,
      repository,
      issues: found.items,
      progress: await loadTaskProgress(deps.db, found.items),
      total: found.total,
      states: found.states,
      comparedOnly: found.comparedOnly,
      hasClosed: found.total === 0 && (await hasClosed(deps, repository, kind)),
      typed,
      query: searched,
      unknown: found.unknown,
      filters: {
        ...(bulk ?? (await planChoices(deps, repository))),
        people: (await listAssignees(deps, repository)).slice(0, maxPeople),
        self: isUser(actor) ? actor.name : undefined,
      },
      page,
      now: deps.clock.now(),
    },
  };
}

/** Whether there are closed issues. One statement. */
async function hasClosed(deps: { readonly db: Reader }, repository: RepositorySubject, type: ListedKind): Promise<boolean> {
  return (await countOfRepository(deps.db, repository.id, { isClosed: true, isPull: type === "pulls" })) > 0;
}
