import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { messageTitle } from "../../../../core/commit-message.ts";
import { forbidden, invalid, notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { peelToCommit } from "../../../../git/objects/objects.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { findRef } from "../../../repositories/refs/service/read.ts";
import type { RunRow, WorkflowRow } from "../model.ts";
import { listWorkflows, setDisabled } from "../store/workflows.ts";
import type { RunsDeps } from "./deps.ts";
import { listWorkflowFiles } from "./files.ts";
import { canRun, startRun } from "./start.ts";

/** The workflows of the default branch. */
export const workflowsOfDefault = async (deps: { readonly db: Reader }, repository: RepositorySubject): Promise<readonly WorkflowRow[]> =>
  (await listWorkflows(deps.db, repository.id)).filter(({ oid }) => oid !== null);

/** @throws ForgeError `not_found` */
export async function getWorkflow(deps: { readonly db: Reader }, repository: RepositorySubject, file: string): Promise<WorkflowRow> {
  const found = (await workflowsOfDefault(deps, repository)).find((one) => one.file === file);
  if (found === undefined) throw notFound();
  return found;
}

/** Events start no run of a disabled workflow. @throws ForgeError `not_found` */
export async function switchWorkflow(deps: Pick<RunsDeps, "db">, repository: RepositorySubject, file: string, isDisabled: boolean): Promise<void> {
  await deps.db.tx(async (tx) => {
    await getWorkflow({ db: tx }, repository, file);
    await setDisabled(tx, repository.id, file, isDisabled);
  });
}

export interface Dispatch {
  readonly file: string;
  /** A branch, or the full name of a branch or tag. */
  readonly ref: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/**
 * Starts a workflow by hand, with the file of the given branch or tag. Unknown inputs are left out.
 * @throws ForgeError `not_found`, `forbidden` for a disabled workflow, `invalid` for a missing input
 */
export async function dispatchWorkflow(deps: RunsDeps, actor: UserActor, repository: RepositorySubject, { file, ref, inputs }: Dispatch): Promise<RunRow> {
  const known = (await listWorkflows(deps.db, repository.id)).find((one) => one.file === file);
  if (known?.isDisabled === true) throw forbidden("the workflow is disabled");
  if (!canRun(repository)) throw forbidden("actions are switched off in this repository, or it is archived");
  const store = codeStore(deps, repository);
  const name = /^refs\/(?:heads|tags)\//.test(ref) ? ref : `refs/heads/${ref}`;
  const tip = await findRef(deps.db, store.id, name);
  const commit = tip && (await peelToCommit(store, tip.oid));
  if (commit === undefined) throw notFound("the branch or tag does not exist");
  const found = (await listWorkflowFiles(store, commit.oid)).find((one) => one.file === file);
  if (found === undefined) throw notFound("the branch or tag has no such workflow");
  const read = await deps.workflowReader.read(store, found);
  const declared = "workflow" in read ? (read.workflow.triggers.workflow_dispatch?.inputs ?? []) : [];
  const values = Object.fromEntries(
    declared.map(({ name: input, type, isRequired, default: usual }) => {
      const value = inputs[input] ?? usual;
      if (isRequired && value === "") throw invalid(`the input ${input} is required`);
      return [input, type === "boolean" ? value === "true" : type === "number" && value !== "" ? Number(value) : value] as const;
    }),
  );
  const run = await startRun(
    deps,
    {
      repository,
      eventId: null,
      actorId: actor.id,
      trigger: "workflow_dispatch",
      ref: name,
      oid: commit.oid,
      title: messageTitle(commit.message),
      inputs: values,
      files: { store, commitOid: commit.oid },
      accepts: () => true,
      payload: async () => ({ ref: name, inputs: values, workflow: found.path, repository: { full_name: repository.fullName }, sender: { login: actor.name } }),
    },
    read,
  );
  if (run === undefined) throw new Error("a dispatch starts a run");
  return run;
}
