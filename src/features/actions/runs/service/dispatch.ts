import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { messageTitle } from "../../../../core/commit-message.ts";
import { forbidden, invalid, isForgeError, notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { peelToCommit } from "../../../../git/objects/objects.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { findRef } from "../../../repositories/refs/service/read.ts";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import type { DispatchInput } from "../language/workflow.ts";
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
  if (found === undefined) throw notFound(`workflow "${file}" not found`);
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
  /** Presents the repository and the sender, for its event. */
  readonly present: (repository: RepositoryView, sender: UserView | undefined) => object;
}

/** @throws ForgeError `not_found` for an unknown branch or tag, or one without the workflow */
async function findDispatched(deps: RunsDeps, repository: RepositorySubject, file: string, ref: string) {
  const store = codeStore(deps, repository);
  const name = /^refs\/(?:heads|tags)\//.test(ref) ? ref : `refs/heads/${ref}`;
  const tip = await findRef(deps.db, store.id, name);
  const commit = tip && (await peelToCommit(store, tip.oid));
  if (commit === undefined) throw notFound(`ref "${ref}" doesn't exist`);
  const found = (await listWorkflowFiles(store, commit.oid)).find((one) => one.file === file);
  if (found === undefined) {
    const isKnown = (await workflowsOfDefault(deps, repository)).some((one) => one.file === file);
    throw notFound(isKnown ? "the branch or tag does not contain this workflow file" : `workflow "${file}" doesn't exist`);
  }
  return { store, name, commit, found, read: await deps.workflowReader.read(store, found) };
}

/** The inputs of a workflow on a branch or tag. @returns undefined if it cannot be started by hand there */
export async function inputsOfWorkflow(
  deps: RunsDeps,
  repository: RepositorySubject,
  file: string,
  ref: string,
): Promise<readonly DispatchInput[] | undefined> {
  try {
    const { read } = await findDispatched(deps, repository, file, ref);
    const trigger = "workflow" in read ? read.workflow.triggers.workflow_dispatch : undefined;
    return trigger && (trigger.inputs ?? []);
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}

/**
 * Starts a workflow by hand, with the file of the given branch or tag. Unknown inputs are left out.
 * @throws ForgeError `not_found`, `forbidden` for a disabled workflow, `invalid` for a missing input
 */
export async function dispatchWorkflow(
  deps: RunsDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { file, ref, inputs, present }: Dispatch,
): Promise<RunRow> {
  const known = (await listWorkflows(deps.db, repository.id)).find((one) => one.file === file);
  if (known?.isDisabled === true) throw forbidden("workflow is disabled");
  const { store, name, commit, found, read } = await findDispatched(deps, repository, file, ref);
  if (!canRun(repository)) throw forbidden("actions are switched off in this repository, or it is archived");
  const declared = "workflow" in read ? (read.workflow.triggers.workflow_dispatch?.inputs ?? []) : [];
  const values = Object.fromEntries(declared.map((input) => [input.name, readInput(input, inputs[input.name] ?? input.default)] as const));
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
      payload: async () => {
        const sender = (await loadUsers(deps, [actor.id])).get(actor.id);
        // The context `inputs` has booleans and numbers, the event only texts, as on GitHub.
        const texts = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
        return { ref: name, inputs: texts, workflow: found.path, ...present(await getRepository(deps, actor, repository.id), sender) };
      },
    },
    read,
  );
  if (run === undefined) throw new Error("a dispatch starts a run");
  return run;
}

/**
 * The value of an input. As on Gitea, an input with choices accepts other values.
 * @throws ForgeError `invalid` with the field of the form
 */
function readInput({ name, type, isRequired }: DispatchInput, value: string): string | number | boolean {
  const field = `inputs.${name}`;
  if (isRequired && value === "") throw invalid(`the input ${name} is required`, { reason: "required", field });
  if (type === "boolean") return value === "true";
  if (type !== "number" || value === "") return value;
  if (!Number.isFinite(Number(value))) throw invalid(`the input ${name} is a number`, { reason: "not_a_number", field });
  return Number(value);
}
