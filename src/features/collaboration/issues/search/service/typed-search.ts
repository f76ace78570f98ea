import { type Actor, isUser } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Clock } from "../../../../../core/clock.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Db, Reader } from "../../../../../db/db.ts";
import { getRepository } from "../../../../repositories/repos/service/loaders.ts";
import type { IssueView } from "../../model.ts";
import { bulkChoices } from "../../planning/service/side.ts";
import type { ListedKind } from "../../planning/sidebar-props.ts";
import { readTypedQuery, type TypedQuery } from "../query-language.ts";
import { countOfRepository } from "../store/totals.ts";
import { type IssueQuery, listIssues } from "./list.ts";
import { findUnknownNames } from "./named.ts";

interface FoundIssues extends Paged<IssueView> {
  /** The parts of the query that name something that does not exist: then no issue matches. */
  readonly unknown: readonly string[];
}

/** Runs a search query on issues or pull requests. Statements as `listIssues`, and one for names. */
async function findTyped(
  deps: { readonly db: Reader },
  { repository, typed, type, page }: { readonly repository: RepositorySubject; readonly typed: TypedQuery; readonly type: ListedKind; readonly page: Page },
): Promise<FoundIssues> {
  const unknown = [...typed.unknown, ...(await findUnknownNames(deps.db, { repoId: repository.id, ownerId: repository.ownerId }, namesIn(typed)))];
  if (unknown.length > 0) return { items: [], total: 0, unknown };
  return { ...(await listIssues(deps, repository, toIssueQuery(typed, type), page)), unknown };
}

const namesIn = ({ labels, milestones, author, assignee, mentions }: TypedQuery) => ({ labels, milestones, users: [author, assignee, mentions] });

/** Replaces `@me` by the name of the reader. */
function forReader(typed: TypedQuery, actor: Actor): TypedQuery {
  const named = (name: string): string => (name === "@me" && isUser(actor) ? actor.name : name);
  return { ...typed, author: named(typed.author), assignee: named(typed.assignee), mentions: named(typed.mentions) };
}

/** A request for a list page; `q` is the search as typed. */
interface ListPageRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly query: { readonly q?: string | undefined };
  readonly page: Page;
}

/** The content of the list pages of issues and of pull requests. */
export async function loadListPage(deps: { readonly db: Db; readonly clock: Clock }, kind: ListedKind, { actor, repository, query, page }: ListPageRequest) {
  const typed = query.q ?? "is:open";
  const searched = readTypedQuery(typed);
  const { items, total, unknown } = await findTyped(deps, { repository, typed: forReader(searched, actor), type: kind, page });
  return {
    view: await getRepository(deps, actor, repository.id),
    choices: await bulkChoices(deps, actor, repository, kind === "pulls"),
    list: {
      kind,
      repository,
      issues: items,
      total,
      hasClosed: total === 0 && (await hasClosed(deps, repository, kind)),
      typed,
      query: searched,
      unknown,
      page,
      now: deps.clock.now(),
    },
  };
}

/** Whether there are closed issues. One statement. */
async function hasClosed(deps: { readonly db: Reader }, repository: RepositorySubject, type: "issues" | "pulls"): Promise<boolean> {
  return (await countOfRepository(deps.db, repository.id, { isClosed: true, isPull: type === "pulls" })) > 0;
}

const toIssueQuery = ({ state, labels, milestones, author, assignee, mentions, order, text }: TypedQuery, type: "issues" | "pulls"): IssueQuery => ({
  state,
  type,
  text,
  labels,
  milestones,
  createdBy: author,
  assignedTo: assignee,
  mentions,
  sinceMs: undefined,
  beforeMs: undefined,
  order,
});
