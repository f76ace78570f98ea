import type { RepositorySubject } from "../../../../access/subjects.ts";
import { messageTitle } from "../../../../core/commit-message.ts";
import { peelToCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit } from "../../../../git/types.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { findRef } from "../../../repositories/refs/service/read.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import { listWorkflows, type PresentWorkflow, replaceWorkflows } from "../store/workflows.ts";
import { nextTime } from "./cron.ts";
import type { RunsDeps } from "./deps.ts";
import { listWorkflowFiles } from "./files.ts";
import type { RunSource } from "./start.ts";

/** A branch or tag, and its commit. */
export interface Tip {
  readonly store: GitStore;
  readonly ref: string;
  readonly commit: Commit;
}

/** The commit of a branch or tag. @returns undefined if it does not exist */
export async function tipOf(deps: RunsDeps, repository: RepositorySubject, ref: string): Promise<Tip | undefined> {
  const store = codeStore(deps, repository);
  const found = await findRef(deps.db, store.id, ref);
  const commit = found && (await peelToCommit(store, found.oid));
  return commit && { store, ref, commit };
}

export const tipOfDefault = (deps: RunsDeps, repository: RepositorySubject): Promise<Tip | undefined> =>
  tipOf(deps, repository, `refs/heads/${repository.defaultBranch}`);

/** The parts of a run that follow from the commit with its workflows. */
export const sourceAt = ({ store, ref, commit }: Tip): Pick<RunSource, "ref" | "oid" | "title" | "files"> => ({
  ref,
  oid: commit.oid,
  title: messageTitle(commit.message),
  files: { store, commitOid: commit.oid },
});

/** Git allows any number. */
const timeOf = ({ author }: Commit): number => Math.min(Math.max(author.seconds, 0), lastSecond) * 1_000;
const lastSecond = 253_402_300_799;

/** Records the workflows of the default branch: their list, their schedules, and whether other events can start any. */
export async function recordWorkflows(deps: RunsDeps, repoId: number, { store, commit }: Pick<Tip, "store" | "commit">, actorId: number | null): Promise<void> {
  const files = await listWorkflowFiles(store, commit.oid);
  const known = (await listWorkflows(deps.db, repoId)).filter(({ oid }) => oid !== null);
  const isSame = known.length === files.length && files.every(({ path, oid }) => known.some((one) => one.path === path && one.oid === oid));
  if (isSame) return;
  const present: PresentWorkflow[] = [];
  for (const file of files) {
    const read = await deps.workflowReader.read(store, file);
    const workflow = "workflow" in read ? read.workflow : undefined;
    const triggers = workflow?.triggers ?? null;
    // An unchanged file keeps its next time, which may have come already.
    const before = known.find(({ path, oid }) => path === file.path && oid === file.oid);
    const nextRunMs = before === undefined ? (nextTime(triggers?.schedule?.crons ?? [], deps.clock.now()) ?? null) : before.nextRunMs;
    const schedulerId = before === undefined ? actorId : before.schedulerId;
    present.push({ ...file, name: (workflow?.name ?? file.file).slice(0, 255), triggers, nextRunMs, schedulerId });
  }
  await deps.db.tx((tx) => replaceWorkflows(tx, repoId, present, timeOf(commit)));
}

/** Follows the default branch after another one was chosen. */
export async function followDefault(deps: RunsDeps, repoId: number): Promise<void> {
  const repository = await findPlaceById(deps, repoId);
  const tip = repository && (await tipOfDefault(deps, repository));
  if (tip !== undefined) await recordWorkflows(deps, repoId, tip, null);
}
