import type { Actor, UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { invalid, notFound } from "../../../core/errors.ts";
import { parseGlob } from "../../../core/glob.ts";
import { checkLength, lengths } from "../../../core/lengths.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import { isWebUrl } from "../../../core/urls.ts";
import type { Db, Reader, Tx } from "../../../db/db.ts";
import { isUniqueViolation } from "../../../db/errors.ts";
import { recordEvent } from "../../../events/events.ts";
import type { GitStore, GitStores } from "../../../git/stores.ts";
import type { Oid } from "../../../git/types.ts";
import { loadUsers } from "../../accounts/users/service/accounts.ts";
import { resolveRev } from "../refs/service/resolve.ts";
import type { RepositoryView } from "../repos/model.ts";
import { getRepository } from "../repos/service/loaders.ts";
import { type CombinedState, combine, type NewStatus, type StatusListing, type StatusView } from "./model.ts";
import { insertStatus, listLatest, listLatestOf, pageLatest, pageStatuses, type StatusRow } from "./store.ts";

export interface StatusDeps {
  readonly db: Db;
  readonly git: GitStores;
}

/** Each failed attempt means that a concurrent one succeeded. */
const maxAttempts = 100;

const storeOf = ({ git }: StatusDeps, { codeStoreId, objectFormat, packsVersion }: RepositorySubject): GitStore =>
  git.store(codeStoreId, objectFormat, packsVersion);

/** @throws ForgeError `not_found` */
async function findCommitOid(deps: StatusDeps, repository: RepositorySubject, rev: string): Promise<Oid> {
  const found = await resolveRev(deps, storeOf(deps, repository), rev);
  if (found === undefined) throw notFound("not found", { details: [`object does not exist [id: ${rev}, rel_path: ]`] });
  return found.commitOid;
}

/**
 * Records the result of a check for a commit. Operation `repoCreateStatus`.
 * @compat any string is accepted as a state; an unknown one does not count as success, so it blocks a merge (statuses/api.test.ts)
 * @throws ForgeError `not_found` for an unknown commit, `invalid` for an unsafe URL or an overlong string
 */
export async function createStatus(deps: StatusDeps, actor: UserActor, repository: RepositorySubject, rev: string, status: NewStatus): Promise<StatusView> {
  if (status.targetUrl !== "" && !isWebUrl(status.targetUrl)) throw invalid("target_url: must begin with http:// or https://");
  checkLength("Context", status.context, lengths.line);
  checkLength("Description", status.description, lengths.statusDescription);
  const oid = await findCommitOid(deps, repository, rev);
  const repoId = repository.id;
  const row = await whileTaken(() => deps.db.tx((tx) => recordStatus(tx, { repoId, oid }, actor.id, status)));
  const [view] = await toViews(deps.db, [row]);
  if (view === undefined) throw new Error("a status has a view");
  return view;
}

/**
 * Records the result of a check in the transaction of its cause. Two statements.
 * @param creatorId null: the server itself
 * @throws DbConstraintError if another one took its number: see {@link whileTaken}
 */
export async function recordStatus(
  tx: Tx,
  { repoId, oid }: { readonly repoId: number; readonly oid: Oid },
  creatorId: number | null,
  status: NewStatus,
): Promise<StatusRow> {
  const made = await insertStatus(tx, { repoId, oid }, creatorId, status);
  const { id: statusId, number, context, state, description, target_url: targetUrl } = made;
  const event = { repoId, statusId, number, oid, context, state, description, targetUrl };
  await recordEvent(tx, "status.created", event, { repoId, actorId: creatorId });
  return made;
}

/** Concurrent inserts for one commit can choose the same number; PostgreSQL then reports a unique violation. */
export async function whileTaken<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isUniqueViolation(error, "commit_statuses.repo_id,oid,number")) throw error;
    }
  }
}

/** The statuses of the commit of a revision. Operation `repoListStatusesByRef`. At most five statements. @throws ForgeError `not_found` */
export const listStatusesByRef = async (deps: StatusDeps, repository: RepositorySubject, rev: string, listing: StatusListing): Promise<Paged<StatusView>> =>
  listOf(deps, repository, await findCommitOid(deps, repository, rev), listing);

/**
 * The statuses of a commit by its full or abbreviated id. Operation `repoListStatuses`. At most four statements.
 * @compat an unknown id, or the name of a branch or tag, has no statuses, so that clients can ask before the commit is pushed
 * (statuses/api.test.ts)
 */
export async function listStatuses(deps: StatusDeps, repository: RepositorySubject, sha: string, listing: StatusListing): Promise<Paged<StatusView>> {
  const found = await resolveRev(deps, storeOf(deps, repository), sha, ["commit"]);
  return found === undefined ? { items: [], total: 0 } : listOf(deps, repository, found.commitOid, listing);
}

async function listOf(deps: StatusDeps, repository: RepositorySubject, oid: Oid, { order, state, page }: StatusListing): Promise<Paged<StatusView>> {
  const { rows, total } = await pageStatuses(deps.db, { repoId: repository.id, oid }, order, state, page);
  return { items: await toViews(deps.db, rows), total };
}

export interface CombinedStatusView {
  readonly oid: Oid;
  readonly state: CombinedState;
  /** The latest status of each context. */
  readonly statuses: readonly StatusView[];
  readonly total: number;
  readonly repository: RepositoryView;
}

/** The combined status of a commit. Operation `repoGetCombinedStatusByRef`. @throws ForgeError `not_found` */
export async function getCombinedStatus(deps: StatusDeps, actor: Actor, repository: RepositorySubject, rev: string, page: Page): Promise<CombinedStatusView> {
  const oid = await findCommitOid(deps, repository, rev);
  return { ...(await getChecks(deps.db, repository.id, oid, page)), repository: await getRepository(deps, actor, repository.id) };
}

/** The combined status of a commit. At most three statements. */
export async function getChecks(db: Reader, repoId: number, oid: Oid, page: Page): Promise<Omit<CombinedStatusView, "repository">> {
  const { rows, total, states } = await pageLatest(db, { repoId, oid }, page);
  return { oid, state: combine(states), statuses: await toViews(db, rows), total };
}

async function toViews(db: Reader, rows: readonly StatusRow[]): Promise<StatusView[]> {
  const creators = await loadUsers({ db }, [...new Set(rows.flatMap(({ creator_id }) => creator_id ?? []))]);
  return rows.map((row) => ({
    number: row.number,
    oid: row.oid,
    context: row.context,
    state: row.state,
    description: row.description,
    targetUrl: row.target_url,
    creator: row.creator_id === null ? undefined : creators.get(row.creator_id),
    createdMs: row.created_ms,
  }));
}

export interface ChecksOfCommit {
  readonly state: CombinedState;
  readonly total: number;
}

/** As {@link stateOfCommit}, for several commits; those without checks are missing. One statement. */
export async function statesOfCommits(db: Reader, repoId: number, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, ChecksOfCommit>> {
  const states = new Map<Oid, string[]>();
  for (const { oid, state } of await listLatestOf(db, repoId, oids)) states.set(oid, [...(states.get(oid) ?? []), state]);
  return new Map([...states].map(([oid, all]) => [oid, { state: combine(all), total: all.length }]));
}

/** The combined state of a commit and the number of its checks; undefined if it has none. One statement. */
export async function stateOfCommit(db: Reader, repoId: number, oid: Oid): Promise<ChecksOfCommit | undefined> {
  const latest = await listLatest(db, { repoId, oid });
  return latest.length === 0 ? undefined : { state: combine(latest.map(({ state }) => state)), total: latest.length };
}

export interface RequiredChecks {
  readonly havePassed: boolean;
  /** Patterns without a successful check; without patterns, the contexts of checks that have not succeeded. */
  readonly missing: readonly string[];
  /** Those of the missing patterns that no check matches yet. */
  readonly unreported: readonly string[];
}

/**
 * The checks required by a rule on a commit: at least one check matches each pattern, and all matching ones succeeded.
 * Without patterns, at least one check exists and all succeeded. One statement.
 */
export async function checkStatuses(db: Reader, repoId: number, oid: Oid, patterns: readonly string[]): Promise<RequiredChecks> {
  const latest = await listLatest(db, { repoId, oid });
  const havePassed = (checks: typeof latest): boolean => combine(checks.map(({ state }) => state)) === "success";
  if (patterns.length === 0) {
    const missing = latest.filter((check) => !havePassed([check])).map(({ context }) => context);
    return { havePassed: havePassed(latest), missing, unreported: [] };
  }
  const required = patterns.map((pattern) => {
    const glob = parseGlob(pattern, { separators: "", ignoresCase: false });
    return { pattern, checks: latest.filter(({ context }) => context === pattern || glob?.matches(context) === true) };
  });
  const missing = required.filter(({ checks }) => !havePassed(checks));
  const unreported = missing.filter(({ checks }) => checks.length === 0);
  const names = (some: typeof required): string[] => some.map(({ pattern }) => pattern);
  return { havePassed: missing.length === 0, missing: names(missing), unreported: names(unreported) };
}
