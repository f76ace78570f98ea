import { messageTitle } from "../../../../core/commit-message.ts";
import type { RefsChanged } from "../../../../events/events.ts";
import { changedPaths } from "../../../../git/history/changed-paths.ts";
import { peelToCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import { anyPasses, passes } from "../language/patterns.ts";
import type { Trigger } from "../language/workflow.ts";
import { listWorkflows, type PresentWorkflow, replaceWorkflows } from "../store/workflows.ts";
import type { RunsDeps } from "./deps.ts";
import { listWorkflowFiles } from "./files.ts";
import { canRun, type RunSource, startRuns } from "./start.ts";

export interface Pushed {
  readonly name: string;
  readonly oldOid: Oid | null;
  readonly newOid: Oid;
}

export interface Push {
  readonly eventId: number;
  readonly actorId: number | null;
  readonly change: RefsChanged;
  readonly payloadOf: (move: Pushed) => Promise<object>;
}

const branches = "refs/heads/";
const tags = "refs/tags/";
/** A push of more refs starts workflows for the first ones only. */
const maxRefs = 20;
const skips = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i;

/**
 * Starts the workflows that the pushed commits contain, and follows the workflows of the default branch. A push to a repository without
 * workflows costs reads of its objects, which are in memory, and no statement.
 */
export async function followPush(deps: RunsDeps, { eventId, actorId, change, payloadOf }: Push): Promise<void> {
  const moves = change.updates
    .filter((update): update is typeof update & { newOid: Oid } => update.newOid !== null && (update.name.startsWith(branches) || update.name.startsWith(tags)))
    .slice(0, maxRefs);
  const heads = await Promise.all(moves.map((move) => headOf(deps, change.storeId, move)));
  const withFiles = await Promise.all(heads.map(async (head) => head !== undefined && (await listWorkflowFiles(head.store, head.commit.oid)).length > 0));
  if (change.hasWorkflows !== true && !withFiles.includes(true)) return;
  const repository = await findPlaceById(deps, change.repoId);
  if (repository === undefined) return;
  for (const [at, move] of moves.entries()) {
    const head = heads[at];
    if (head === undefined) continue;
    if (move.name === branches + repository.defaultBranch) await followDefault(deps, repository.id, head.store, head.commit.oid);
    // Imported and mirrored commits start nothing.
    if (withFiles[at] !== true || change.via === "server" || !canRun(repository) || repository.isMirror || skips.test(head.commit.message)) continue;
    const source: RunSource = {
      repository,
      eventId,
      actorId,
      trigger: "push",
      ref: move.name,
      oid: head.commit.oid,
      title: messageTitle(head.commit.message),
      files: { store: head.store, commitOid: head.commit.oid },
      accepts: (trigger) => acceptsPush(trigger, move.name, () => changedPaths(head.store, move.oldOid ?? head.commit.parentOids[0], head.commit.oid)),
      payload: () => payloadOf(move),
    };
    await startRuns(deps, source);
  }
}

async function headOf({ git }: RunsDeps, storeId: number, { newOid }: Pushed): Promise<{ readonly store: GitStore; readonly commit: Commit } | undefined> {
  const store = git.store(storeId, newOid.length === 40 ? "sha1" : "sha256");
  const commit = await peelToCommit(store, newOid);
  return commit && { store, commit };
}

/** Filters of branches alone exclude tags, and the reverse. Tags have no changed paths. */
export async function acceptsPush(trigger: Trigger, ref: string, changed: () => Promise<readonly string[]>): Promise<boolean> {
  const hasBranches = trigger.branches !== undefined || trigger.branchesIgnore !== undefined;
  const hasTags = trigger.tags !== undefined || trigger.tagsIgnore !== undefined;
  if (ref.startsWith(tags)) return (hasTags || !hasBranches) && passes(trigger.tags, trigger.tagsIgnore, ref.slice(tags.length));
  if ((hasTags && !hasBranches) || !passes(trigger.branches, trigger.branchesIgnore, ref.slice(branches.length))) return false;
  return trigger.paths === undefined && trigger.pathsIgnore === undefined ? true : anyPasses(trigger.paths, trigger.pathsIgnore, await changed());
}

/** Records the workflows of the default branch: their list, their schedules, and whether other events can start any. */
async function followDefault(deps: RunsDeps, repoId: number, store: GitStore, commitOid: Oid): Promise<void> {
  const files = await listWorkflowFiles(store, commitOid);
  const known = (await listWorkflows(deps.db, repoId)).filter(({ oid }) => oid !== null);
  const isSame = known.length === files.length && files.every(({ path, oid }) => known.some((one) => one.path === path && one.oid === oid));
  if (isSame) return;
  const present: PresentWorkflow[] = [];
  for (const file of files) {
    const read = await deps.workflowReader.read(store, file);
    const workflow = "workflow" in read ? read.workflow : undefined;
    present.push({ ...file, name: (workflow?.name ?? file.file).slice(0, 255), triggers: workflow?.triggers ?? null });
  }
  await deps.db.tx((tx) => replaceWorkflows(tx, repoId, present));
}
