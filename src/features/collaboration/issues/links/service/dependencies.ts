import type { Actor, UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, invalid, isForgeError, notFound } from "../../../../../core/errors.ts";
import type { Page } from "../../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../../db/db.ts";
import { findRepository } from "../../../../repositories/repos/service/find.ts";
import type { IssueRow, IssueView } from "../../model.ts";
import { canReadIssue, canWriteIssue } from "../../rights.ts";
import { loadReadableIssues } from "../../search/service/readable-issues.ts";
import { changeIssue } from "../../service/change.ts";
import { requireIssue } from "../../service/find.ts";
import { loadIssueViews, onlyLocation } from "../../service/loaders.ts";
import { findIssueRow } from "../../store/rows.ts";
import { findTrackerSettings } from "../../times/store.ts";
import { type DependencySide, deleteDependency, insertDependency, listDependencies, waitsFor } from "../store/dependencies.ts";

/** Address of an issue in any repository. */
export interface IssueAddress {
  readonly owner: string;
  readonly repository: string;
  readonly number: number;
}

/**
 * A page of an issue's dependencies, or of the issues that it blocks, limited to those that the caller can read. @throws ForgeError
 * `not_found`
 */
export async function listLinked(
  deps: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  number: string,
  side: DependencySide,
  page: Page,
): Promise<{ readonly items: readonly IssueView[]; readonly total: number }> {
  const issue = await requireIssue(deps, repository, number);
  const linked = await listDependencies(deps.db, issue, side);
  const readable = await loadReadableIssues(
    deps,
    actor,
    repository,
    linked.map(({ id }) => id),
  );
  return { items: readable.slice(page.offset, page.offset + page.limit), total: readable.length };
}

/** A dependency to add or remove. */
export interface DependencyInput {
  /** Number of the issue in the path. */
  readonly number: string;
  readonly other: IssueAddress;
  /** `dependencies`: it depends on the other; `blocks`: it blocks the other. */
  readonly side: DependencySide;
  /** For pages: reject an issue that would depend on itself, which is a slip of the form. Programs may add it, and it blocks nothing. */
  readonly rejectsItself?: boolean;
}

interface Pair {
  readonly issue: IssueRow;
  readonly other: IssueRow;
}

/**
 * Adds a dependency between two issues.
 * @returns the issue of the path
 * @throws ForgeError `not_found`, also for callers who cannot write the blocked issue; `conflict` for an existing dependency, `invalid` for
 * a cycle
 */
export async function addLink(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, input: DependencyInput): Promise<IssueView> {
  const { issue } = await deps.db.tx(async (tx) => {
    const found = await requirePair(tx, actor, repository, input);
    const [waiting, awaited] = inOrder(found, input.side);
    const isItself = waiting.id === awaited.id;
    if (isItself && input.rejectsItself === true) throw invalid("an issue cannot depend on itself", { reason: "dependency_on_itself" });
    if (!isItself && (await waitsFor(tx, awaited.id, waiting.id)))
      throw invalid("circular dependencies exist: the other issue depends on this one", { reason: "dependency_cycle" });
    if (!(await insertDependency(tx, waiting.id, awaited.id))) throw conflict("issue dependency does already exist", { reason: "dependency_exists" });
    await noteBoth(tx, actor, waiting, awaited, "add_dependency");
    return found;
  });
  return shown(deps, repository, issue);
}

/** Removes a dependency. @returns the issue of the path @throws ForgeError `not_found`, also without such a dependency */
export async function removeLink(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, input: DependencyInput): Promise<IssueView> {
  const { issue } = await deps.db.tx(async (tx) => {
    const found = await requirePair(tx, actor, repository, input);
    const [waiting, awaited] = inOrder(found, input.side);
    if (!(await deleteDependency(tx, waiting.id, awaited.id))) throw notFound("issue dependency does not exist");
    await noteBoth(tx, actor, waiting, awaited, "remove_dependency");
    return found;
  });
  return shown(deps, repository, issue);
}

const inOrder = ({ issue, other }: Pair, side: DependencySide): readonly [waiting: IssueRow, awaited: IssueRow] =>
  side === "dependencies" ? [issue, other] : [other, issue];

async function noteBoth(tx: Tx, actor: UserActor, waiting: IssueRow, awaited: IssueRow, kind: "add_dependency" | "remove_dependency"): Promise<void> {
  const change = changeIssue(tx, actor.id, waiting);
  change.note(kind, { payload: { dependencyId: awaited.id } });
  change.announce(kind === "add_dependency" ? "issue.dependency_added" : "issue.dependency_removed", { dependencyId: awaited.id });
  await change.finish();
  if (awaited.id === waiting.id) return;
  const there = changeIssue(tx, actor.id, awaited);
  there.note(kind, { payload: { dependencyId: waiting.id } });
  await there.finish();
}

async function requirePair(tx: Tx, actor: UserActor, repository: RepositorySubject, { number, other: address, side }: DependencyInput): Promise<Pair> {
  const issue = await requireIssue({ db: tx }, repository, number);
  const otherRepository = await requireOtherRepository(tx, actor, address);
  const other = address.number > 0 ? await findIssueRow(tx, otherRepository.id, address.number) : undefined;
  if (other === undefined || !canReadIssue(otherRepository, other)) {
    throw notFound("IsErrIssueNotExist", {
      reason: "issue_not_found",
      details: [`issue does not exist [id: 0, repo_id: ${otherRepository.id}, index: ${address.number}]`],
    });
  }
  // The blocked issue is the one whose state is restricted, so its writers decide.
  const [waiting, waitingRepository] = side === "dependencies" ? [issue, repository] : [other, otherRepository];
  if (!canWriteIssue(waitingRepository, waiting)) throw notFound();
  if ((await findTrackerSettings(tx, waitingRepository.id))?.enableIssueDependencies !== true) throw notFound("dependencies are disabled in this repository");
  return { issue, other };
}

async function requireOtherRepository(tx: Tx, actor: UserActor, { owner, repository }: IssueAddress): Promise<RepositorySubject> {
  const found = await findRepository({ db: tx }, owner, repository, actor).catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });
  if (found === undefined || !("subject" in found)) {
    throw notFound("IsErrRepoNotExist", {
      reason: "issue_not_found",
      details: [`repository does not exist [id: 0, uid: 0, owner_name: ${owner}, name: ${repository}]`],
    });
  }
  return found.subject;
}

async function shown(deps: { readonly db: Reader }, repository: RepositorySubject, issue: IssueRow): Promise<IssueView> {
  const [view] = await loadIssueViews(deps, [issue], onlyLocation(repository));
  if (view === undefined) throw notFound();
  return view;
}
