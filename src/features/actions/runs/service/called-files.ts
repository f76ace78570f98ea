import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { resolveRev } from "../../../repositories/refs/service/resolve.ts";
import { findPlaceNamed } from "../../../repositories/repos/service/find.ts";
import { mistake, type Problem, within } from "../language/problem.ts";
import { parseUses } from "../language/uses.ts";
import type { DispatchInput, JobDefinition, Workflow } from "../language/workflow.ts";
import type { RunsDeps } from "./deps.ts";
import { type ReadFile, workflowFileAt } from "./files.ts";

/** A workflow file that jobs call. A run keeps it as it was when the run was created. */
export interface CalledFile {
  /** For messages: with its repository and ref, if they are not those of the run. */
  readonly path: string;
  readonly text: string;
  readonly inputs: readonly DispatchInput[];
  readonly requiredSecrets: readonly string[];
  readonly jobs: readonly JobDefinition[];
  readonly calls: Calls;
}

/** Keys of called files, by the `uses` of a job. */
type Calls = Readonly<Record<string, string>>;

/** All files that the jobs of a run call, also indirectly. */
export interface CalledFiles {
  readonly calls: Calls;
  readonly files: Readonly<Record<string, CalledFile>>;
}

export const noCalledFiles: CalledFiles = { calls: {}, files: {} };

export const readCalled = (stored: string): CalledFiles => ({ ...noCalledFiles, ...(JSON.parse(stored) as Partial<CalledFiles>) });

/** Nesting of workflows and number of called files, as on GitHub. */
const maxLevels = 4;
const maxFiles = 20;
const maxBytes = 1024 * 1024;

/** The commit that a workflow file was read from. */
interface Origin {
  readonly repository: RepositorySubject;
  readonly store: GitStore;
  readonly commitOid: Oid;
  /** Undefined: that of the run. */
  readonly label?: string;
}

export interface CalledOf {
  readonly repository: RepositorySubject;
  readonly files: { readonly store: GitStore; readonly commitOid: Oid };
  readonly isFromFork: boolean;
}

/**
 * Reads the workflow files that the jobs of a workflow call.
 * @returns the mistakes: missing, unreadable and broken files, files without `workflow_call`, and too many or deeply nested ones
 */
export async function loadCalled(deps: RunsDeps, source: CalledOf, workflow: Workflow): Promise<CalledFiles | { readonly problems: readonly Problem[] }> {
  if (!workflow.jobs.some(({ uses }) => uses !== undefined)) return noCalledFiles;
  const files: Record<string, CalledFile> = {};
  const problems: Problem[] = [];
  let bytes = 0;

  async function follow(jobs: readonly JobDefinition[], origin: Origin, above: readonly string[]): Promise<Calls> {
    const calls: Record<string, string> = {};
    for (const { key: job, uses } of jobs) {
      if (uses === undefined || calls[uses] !== undefined) continue;
      const report = (problem: Problem): void => void problems.push(within(`jobs.${job}`, within(uses, problem)));
      const found = await find(deps, source, origin, uses);
      if ("message" in found) {
        report(found);
        continue;
      }
      const { key, read, at } = found;
      calls[uses] = key;
      if (above.includes(key)) report(mistake("calls_itself"));
      else if (above.length >= maxLevels) report(mistake("calls_too_deep", { max: maxLevels }));
      else if (files[key] === undefined) {
        bytes += read.text.length;
        if (Object.keys(files).length >= maxFiles || bytes > maxBytes) {
          report(mistake("calls_too_many", { files: maxFiles, bytes: maxBytes }));
          return calls;
        }
        if ("problems" in read) {
          problems.push(...read.problems.map((problem) => within(labelOf(at, read.path), problem)));
          continue;
        }
        const trigger = read.workflow.triggers.workflow_call;
        if (trigger === undefined) {
          report(mistake("call_trigger_missing"));
          continue;
        }
        const { inputs = [], requiredSecrets = [] } = trigger;
        const called: CalledFile = { path: labelOf(at, read.path), text: read.text, inputs, requiredSecrets, jobs: read.workflow.jobs, calls: {} };
        files[key] = called;
        files[key] = { ...called, calls: await follow(read.workflow.jobs, at, [...above, key]) };
      }
    }
    return calls;
  }

  const { store, commitOid } = source.files;
  const calls = await follow(workflow.jobs, { repository: source.repository, store, commitOid }, []);
  return problems.length > 0 ? { problems: problems.slice(0, maxFiles) } : { calls, files };
}

const labelOf = ({ label }: Origin, path: string): string => (label === undefined ? path : label.replace("@", `/${path}@`));

interface Found {
  readonly key: string;
  readonly read: ReadFile;
  readonly at: Origin;
}

/** @returns the reason if there is no such file */
async function find(deps: RunsDeps, source: CalledOf, origin: Origin, uses: string): Promise<Found | Problem> {
  const parsed = parseUses(uses);
  if (parsed === undefined) return mistake("uses_name");
  const at = parsed.repository === undefined ? origin : await originOf(deps, source, parsed.repository);
  if (at === undefined) return mistake("uses_unreadable");
  const file = await workflowFileAt(at.store, at.commitOid, parsed.path);
  if (file === undefined) return mistake("file_missing");
  return { key: `${at.repository.id} ${at.commitOid} ${parsed.path}`, read: await deps.workflowReader.read(at.store, file), at };
}

/**
 * A commit of another repository: of a public one, or of one with the same owner if this repository is private, too. Its content reaches the
 * log of the run, so code of a fork reads public ones only.
 */
async function originOf(
  deps: RunsDeps,
  { repository, isFromFork }: CalledOf,
  { owner, name, ref }: { readonly owner: string; readonly name: string; readonly ref: string },
): Promise<Origin | undefined> {
  const found = await findPlaceNamed(deps, owner, name);
  if (found === undefined || !mayCall(repository, found, isFromFork)) return undefined;
  const store = codeStore(deps, found);
  const commit = await resolveRev(deps, store, ref);
  return commit && { repository: found, store, commitOid: commit.commitOid, label: `${found.fullName}@${ref}` };
}

function mayCall(repository: RepositorySubject, called: RepositorySubject, isFromFork: boolean): boolean {
  if (!called.enabledUnits.has("repo.code")) return false;
  if (called.id === repository.id) return true;
  // Subjects for work of the server have the rights of anonymous callers.
  if (atLeast(called.right.unit("repo.code"), "read")) return true;
  return !isFromFork && repository.isPrivate && called.ownerId === repository.ownerId;
}
