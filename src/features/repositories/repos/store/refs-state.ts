import { type RawBuilder, sql } from "kysely";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";

/** The state of a repository's refs according to its row. */
export interface RefsState {
  readonly storeId: number;
  readonly defaultBranch: string;
  readonly isEmpty: boolean;
  readonly branchesCount: number;
}

export interface GuardedRefsState extends RefsState {
  /** Branches or tags can be protected, or files locked. */
  readonly hasProtections: boolean;
  /** A push mirror follows every change. */
  readonly isMirrored: boolean;
  /** The repository is, or was, the head or base of a pull request. */
  readonly hasPulls: boolean;
  /** The default branch contains workflows. */
  readonly hasWorkflows: boolean;
  /** Its organization requires workflows in it. */
  readonly requiresWorkflows: boolean;
  /** Its store has more refs than the given number. */
  readonly hasMoreRefs: boolean;
}

const selectState = (db: Reader, repoId: RawBuilder<number>) =>
  db.sql
    .selectFrom("repositories as r")
    .select((eb) => [
      "r.code_store_id",
      "r.default_branch",
      "r.is_empty",
      "r.branches_count",
      eb.selectFrom("ref_protections as p").select("p.id").whereRef("p.repo_id", "=", "r.id").limit(1).as("protection_id"),
      eb.selectFrom("lfs_locks as l").select("l.id").whereRef("l.repo_id", "=", "r.id").limit(1).as("lock_id"),
      eb.selectFrom("push_mirrors as m").select("m.id").whereRef("m.repo_id", "=", "r.id").where("m.syncs_on_commit", "=", 1).limit(1).as("mirror_id"),
      eb.selectFrom("pull_requests as b").select("b.id").whereRef("b.repo_id", "=", "r.id").limit(1).as("pull_id"),
      eb.selectFrom("action_workflows as w").select("w.id").whereRef("w.repo_id", "=", "r.id").limit(1).as("workflow_id"),
      eb
        .selectFrom("action_required_workflows as q")
        .select("q.id")
        .whereRef("q.owner_id", "=", "r.owner_id")
        .where((of) =>
          of.or([
            of("q.covers_all", "=", 1),
            of.exists(
              of.selectFrom("action_required_repositories as c").select("c.repo_id").whereRef("c.required_id", "=", "q.id").whereRef("c.repo_id", "=", "r.id"),
            ),
          ]),
        )
        .limit(1)
        .as("required_id"),
      eb.selectFrom("pull_requests as h").select("h.id").whereRef("h.head_repo_id", "=", "r.id").limit(1).as("head_pull_id"),
    ])
    .where("r.id", "=", repoId)
    .where("r.deleted_ms", "is", null);

const stateAlone = compiled((db, given: Slots<{ repoId: number }>) => selectState(db, given.repoId).select(sql<string | null>`null`.as("next_ref")));
const stateWithRefs = compiled((db, given: Slots<{ repoId: number; refs: number }>) =>
  selectState(db, given.repoId).select((eb) =>
    eb.selectFrom("refs as f").select("f.name").whereRef("f.store_id", "=", "r.code_store_id").limit(1).offset(given.refs).as("next_ref"),
  ),
);

/** @param refs a number of refs: refs are counted only up to it to detect whether there are more, and not at all if omitted */
export async function findRefsState(db: Reader, repoId: number, refs?: number): Promise<GuardedRefsState | undefined> {
  const [row] = await (refs === undefined ? stateAlone(db, { repoId }) : stateWithRefs(db, { repoId, refs }));
  return (
    row && {
      storeId: row.code_store_id,
      defaultBranch: row.default_branch,
      isEmpty: row.is_empty === 1,
      branchesCount: row.branches_count,
      hasProtections: row.protection_id !== null || row.lock_id !== null,
      isMirrored: row.mirror_id !== null,
      hasPulls: row.pull_id !== null || row.head_pull_id !== null,
      hasWorkflows: row.workflow_id !== null,
      requiresWorkflows: row.required_id !== null,
      hasMoreRefs: row.next_ref !== null,
    }
  );
}

const updateState = compiled((tx: Tx, given: Slots<{ repoId: number; defaultBranch: string; isEmpty: number; branchesCount: number; nowMs: number }>) =>
  tx.sql
    .updateTable("repositories")
    .set({ default_branch: given.defaultBranch, is_empty: given.isEmpty, branches_count: given.branchesCount, updated_ms: given.nowMs })
    .where("id", "=", given.repoId),
);

export async function updateRefsState(tx: Tx, repoId: number, { defaultBranch, isEmpty, branchesCount }: Omit<RefsState, "storeId">): Promise<void> {
  await updateState(tx, { repoId, defaultBranch, isEmpty: isEmpty ? 1 : 0, branchesCount, nowMs: tx.nowMs });
}

/** Whether a branch is the base of an open pull request. */
export async function hasPullInto(db: Reader, repoId: number, branch: string): Promise<boolean> {
  const row = await db.sql
    .selectFrom("pull_requests as p")
    .innerJoin("issues as i", "i.id", "p.issue_id")
    .select("p.id")
    .where("p.repo_id", "=", repoId)
    .where("p.base_branch", "=", branch)
    .where("i.is_closed", "=", 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
