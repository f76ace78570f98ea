import { LRUCache } from "lru-cache";
import { isForgeError, unavailable } from "../../../../core/errors.ts";
import { findEntry, readBlob, readCommit, readTree } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import type { WorkflowLanguage } from "../language/pool.ts";
import { mistake, type Problem } from "../language/problem.ts";
import type { Workflow } from "../language/workflow.ts";

/** The first folder that exists is used alone. */
const folders = [".gitea/workflows", ".github/workflows"];
const maxFiles = 100;
export const maxFileBytes = 256 * 1024;

export interface WorkflowFile {
  /** Its name in the folder, which identifies the workflow. */
  readonly file: string;
  readonly path: string;
  readonly oid: Oid;
}

/** The workflow files of a commit. No statement; objects of recent pushes are in memory. */
export async function listWorkflowFiles(store: GitStore, commitOid: Oid): Promise<readonly WorkflowFile[]> {
  const commit = await readCommit(store, commitOid);
  if (commit === undefined) return [];
  for (const folder of folders) {
    const found = await findEntry(store, commit.treeOid, folder);
    if (found?.mode !== "040000") continue;
    const entries = (await readTree(store, found.oid)) ?? [];
    return entries
      .filter(({ name, mode }) => isFile(mode) && /.\.ya?ml$/i.test(name))
      .slice(0, maxFiles)
      .map(({ name, oid }) => ({ file: name, path: `${folder}/${name}`, oid }));
  }
  return [];
}

export async function workflowFileAt(store: GitStore, commitOid: Oid, path: string): Promise<WorkflowFile | undefined> {
  const commit = await readCommit(store, commitOid);
  const entry = commit && (await findEntry(store, commit.treeOid, path));
  if (entry === undefined || !isFile(entry.mode)) return undefined;
  return { file: entry.name, path, oid: entry.oid };
}

const isFile = (mode: string): boolean => mode === "100644" || mode === "100755";

/** A file with its text, parsed, or the mistakes in it. */
export type ReadFile = WorkflowFile & { readonly text: string } & ({ readonly workflow: Workflow } | { readonly problems: readonly Problem[] });

export interface WorkflowReader {
  read(store: GitStore, file: WorkflowFile): Promise<ReadFile>;
}

/** Parses each content once. */
export function createWorkflowReader(language: WorkflowLanguage): WorkflowReader {
  const kept = new LRUCache<string, { readonly text: string } & ({ readonly workflow: Workflow } | { readonly problems: readonly Problem[] })>({
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: ({ text }) => 2 * text.length + 1_000,
  });
  return {
    async read(store, file) {
      const known = kept.get(file.oid);
      if (known !== undefined) return { ...file, ...known };
      const blob = await readBlob(store, file.oid, maxFileBytes);
      if (blob === undefined) throw unavailable("a workflow file cannot be read", { meta: { storeId: store.id, oid: file.oid } });
      if (blob.data === undefined) return { ...file, text: "", problems: [mistake("file_too_large", { max: maxFileBytes })] };
      const text = blob.data.toString("utf8");
      const outcome = await language.run({ kind: "read", path: file.path, text });
      if (outcome.kind !== "done") throw unavailable("workflows cannot be read at the moment", { meta: { reason: outcome.reason } });
      const found = "value" in outcome.value ? { text, workflow: outcome.value.value } : { text, problems: outcome.value.problems };
      kept.set(file.oid, found);
      return { ...file, ...found };
    },
  };
}

/**
 * The mistakes in a file, if it is a workflow of its folder. No statement.
 * @returns nothing for other files, and when workflows cannot be read at the moment
 */
export async function mistakesIn(
  { workflowReader }: { readonly workflowReader: WorkflowReader },
  store: GitStore,
  { path, oid }: Pick<WorkflowFile, "path" | "oid">,
): Promise<readonly Problem[]> {
  const [, folder = "", file = ""] = /^(.+)\/([^/]+\.ya?ml)$/i.exec(path) ?? [];
  if (!folders.includes(folder)) return [];
  try {
    const read = await workflowReader.read(store, { file, path, oid });
    return "problems" in read ? read.problems : [];
  } catch (error) {
    if (isTemporary(error)) return [];
    throw error;
  }
}

/** Whether an error says that the work may succeed later. */
export const isTemporary = (error: unknown): boolean => isForgeError(error, "unavailable");
