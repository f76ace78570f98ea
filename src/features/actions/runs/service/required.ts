import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import { foldName } from "../../../../core/names.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import { findPlaceById, findPlaceNamed } from "../../../repositories/repos/service/find.ts";
import { mistake, type Problem } from "../language/problem.ts";
import type { Trigger } from "../language/workflow.ts";
import type { RequiredWorkflow } from "../model.ts";
import { deleteRequired, findOwned, insertRequired, listRequired, listRequiredIn } from "../store/required.ts";
import { type Tip, tipOf } from "./default-branch.ts";
import type { RunsDeps } from "./deps.ts";
import { type ReadFile, workflowFileAt } from "./files.ts";
import { type RunSource, startRun } from "./start.ts";

/** The workflows that an organization requires. Two statements. */
export const requiredWorkflowsOf = (deps: Pick<RunsDeps, "db">, ownerId: number): Promise<readonly RequiredWorkflow[]> => listRequired(deps.db, ownerId);

type RequiredSource = Omit<RunSource, "cause" | "reportsMistakes" | "required"> & { readonly eventId: number };

/**
 * Starts the workflows that the organization of a repository requires in it, from their own repository: no change in this one affects them.
 * One that cannot be read fails, so that pull requests wait for the owners. One statement without any.
 */
export async function startRequired(deps: RunsDeps, source: RequiredSource): Promise<void> {
  const { repository, eventId, trigger, ref } = source;
  for (const required of await listRequiredIn(deps.db, repository, trigger === "push" ? "on_push" : "on_pull")) {
    const { read, tip } = await readRequired(deps, required);
    const cause = `required ${required.id} ${trigger} ${eventId} ${ref}`;
    const common = { ...source, eventId: null, cause, required: { id: required.id, oid: tip?.commit.oid ?? "" } };
    const found = "workflow" in read ? read.workflow.triggers[trigger] : undefined;
    if (found !== undefined && !(await source.accepts(found))) continue;
    const isUsable = "problems" in read || found !== undefined;
    const file: ReadFile = isUsable ? read : broken(read, mistake("required_trigger_missing", { trigger }));
    await startRun(deps, { ...common, ...(tip && { files: { store: tip.store, commitOid: tip.commit.oid } }) }, file);
  }
}

const broken = ({ file, path, oid, text }: Pick<ReadFile, "file" | "path" | "oid" | "text">, problem: Problem): ReadFile => ({
  ...{ file, path, oid, text },
  problems: [problem],
});

interface Read {
  readonly read: ReadFile;
  /** Undefined: the branch or the repository is gone. */
  readonly tip: Tip | undefined;
}

/** The file with a name and a path that contain its repository and branch. */
async function readRequired(deps: RunsDeps, required: Pick<RequiredWorkflow, "repoId" | "fullName" | "path" | "branch">): Promise<Read> {
  const repository = await findPlaceById(deps, required.repoId);
  const branch = required.branch || repository?.defaultBranch || "";
  const tip = repository && (await tipOf(deps, repository, `refs/heads/${branch}`));
  const found = tip && (await workflowFileAt(tip.store, tip.commit.oid, required.path));
  const file = `${required.fullName}/${required.path}`;
  const path = `${file}@${branch}`;
  if (tip === undefined || found === undefined) {
    return { read: broken({ file, path, oid: "", text: "" }, mistake("required_file_missing")), tip };
  }
  return { read: { ...(await deps.workflowReader.read(tip.store, found)), file, path }, tip };
}

export interface NewRequired {
  /** Name of the repository with the file. */
  readonly repository: string;
  readonly path: string;
  /** Empty: the default branch. */
  readonly branch: string;
  readonly onPush: boolean;
  readonly onPull: boolean;
  /** Names of repositories; empty: all, also later ones. */
  readonly covered: readonly string[];
}

const maxCovered = 500;
const pathPattern = /^\.(?:gitea|github)\/workflows\/[^/]+\.ya?ml$/i;

/** Requires a workflow in repositories of an organization. @throws ForgeError `invalid` with the field of the form */
export async function requireWorkflow(
  deps: RunsDeps,
  actor: UserActor,
  organization: { readonly id: number; readonly name: string },
  input: NewRequired,
): Promise<void> {
  const { path, branch, onPush, onPull, covered } = input;
  if (!pathPattern.test(path)) throw invalid("the path must be .gitea/workflows/FILE", { reason: "workflow_path_invalid", field: "path" });
  checkLength("path", path, lengths.line);
  if (!onPush && !onPull) throw invalid("choose at least one event", { reason: "choice_required", field: "on_pull" });
  const repository = await findPlaceNamed(deps, organization.name, input.repository);
  if (repository?.ownerId !== organization.id) throw unknownRepository("repository");
  await checkFile(deps, repository, { path, branch, triggers: [...(onPush ? ["push"] : []), ...(onPull ? ["pull_request"] : [])] });
  const names = [...new Set(covered.map(foldName))];
  if (names.length > maxCovered) throw invalid("too many repositories", { reason: { code: "too_many_items", max: maxCovered }, field: "repositories" });
  const added = { ownerId: organization.id, repoId: repository.id, path, branch, onPush, onPull, coversAll: covered.length === 0 };
  try {
    await deps.db.tx(async (tx) => {
      const ids = await findOwned(tx, organization.id, names);
      if (ids.length < names.length) throw unknownRepository("repositories");
      await insertRequired(tx, added, ids);
      const name = `${repository.fullName}/${path}`;
      await recordEvent(tx, "action_workflow.required", { ownerName: organization.name, name }, { by: actor });
    });
  } catch (error) {
    if (!isUniqueViolation(error, "action_required_workflows.owner_id,repo_id,path")) throw error;
    throw invalid("the workflow is required already", { reason: "workflow_required_already", field: "path" });
  }
}

const unknownRepository = (field: string) => invalid("the organization has no such repository", { reason: "repository_not_in_organization", field });

interface Wanted {
  readonly path: string;
  readonly branch: string;
  readonly triggers: readonly string[];
}

async function checkFile(deps: RunsDeps, repository: RepositorySubject, { path, branch, triggers }: Wanted): Promise<void> {
  const { read } = await readRequired(deps, { repoId: repository.id, fullName: repository.fullName, path, branch });
  if ("problems" in read && read.oid === "") throw invalid("the branch has no such file", { reason: "workflow_file_missing", field: "path" });
  if ("problems" in read) throw invalid("the workflow file is invalid", { reason: "workflow_file_invalid", field: "path" });
  const declared: Readonly<Record<string, Trigger>> = read.workflow.triggers;
  if (triggers.some((name) => declared[name] === undefined)) {
    throw invalid("the workflow file lacks a chosen trigger", { reason: "workflow_trigger_missing", field: "path" });
  }
}

/** @throws ForgeError `not_found` if the organization does not have it */
export async function endRequirement(
  deps: Pick<RunsDeps, "db">,
  actor: UserActor,
  organization: { readonly id: number; readonly name: string },
  id: number,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const name = await deleteRequired(tx, organization.id, id);
    if (name === undefined) throw notFound();
    await recordEvent(tx, "action_workflow.not_required", { ownerName: organization.name, name }, { by: actor });
  });
}
