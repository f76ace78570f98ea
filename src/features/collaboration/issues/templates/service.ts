import { LRUCache } from "lru-cache";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { createSingleFlight } from "../../../../core/single-flight.ts";
import { findEntry, readBlob, readTree } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid, TreeEntry } from "../../../../git/types.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { findViewpoint, type ViewpointDeps } from "../../../repositories/contents/service/viewpoint.ts";
import type { WorkerPool } from "../../../site/markup/worker-pool.ts";
import { defaultConfig, type IssueConfigView, parseConfig } from "./config.ts";
import { type IssueTemplateView, isForm, mayBeTemplate, parseTemplate } from "./template.ts";
import { createYamlReader, TemplateProblem } from "./yaml.ts";

/** Template folders, in the order in which they are listed. */
const folders = [
  "ISSUE_TEMPLATE",
  "issue_template",
  ".gitea/ISSUE_TEMPLATE",
  ".gitea/issue_template",
  ".github/ISSUE_TEMPLATE",
  ".github/issue_template",
  ".gitlab/ISSUE_TEMPLATE",
  ".gitlab/issue_template",
];
const configs = [".gitea", ".github"].flatMap((folder) =>
  ["ISSUE_TEMPLATE", "issue_template"].flatMap((name) => ["yaml", "yml"].map((ending) => `${folder}/${name}/config.${ending}`)),
);
const maxFileBytes = 64 * 1024;
const maxTemplates = 100;
/** All templates of a repository together. It bounds the time that a request takes: parsing needs up to 10 ms per KiB on a worker. */
const maxTotalBytes = 256 * 1024;
/** Size of the files whose content is kept. Parsed YAML can take about 20 times the memory of its text. */
const maxKeptBytes = 2 * 1024 * 1024;

/** A file that was parsed, or the reason why it could not be. */
type ParsedFile<T> = { readonly sizeBytes: number } & ({ readonly value: T } | { readonly problem: string });

/** Reads templates and configuration files. Each content is parsed once, on a worker thread. */
export interface TemplateReader {
  readTemplate(store: GitStore, path: string, oid: Oid): Promise<ParsedFile<IssueTemplateView>>;
  readConfig(store: GitStore, oid: Oid): Promise<ParsedFile<IssueConfigView>>;
}

export function createTemplateReader({ workers }: { readonly workers: Pick<WorkerPool, "run"> }): TemplateReader {
  const readYaml = createYamlReader(workers);
  const kept = new LRUCache<string, ParsedFile<IssueTemplateView | IssueConfigView>>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ sizeBytes }) => sizeBytes + 100,
  });
  /** Shared by the requests that ask for the same file at the same time. */
  const flights = createSingleFlight();

  async function parse<T extends IssueTemplateView | IssueConfigView>(
    store: GitStore,
    oid: Oid,
    parseText: (text: string) => Promise<T>,
  ): Promise<ParsedFile<T>> {
    const blob = await readBlob(store, oid, maxFileBytes);
    const sizeBytes = blob?.data?.length ?? 0;
    if (blob?.data === undefined) return { sizeBytes, problem: `the file is larger than ${maxFileBytes} bytes` };
    try {
      return { sizeBytes, value: await parseText(blob.data.toString("utf8")) };
    } catch (error) {
      if (error instanceof TemplateProblem) return { sizeBytes, problem: error.message };
      throw error;
    }
  }

  /** The key includes the kind of the file, so the value has the type that `parseText` returns. */
  async function parseOnce<T extends IssueTemplateView | IssueConfigView>(
    key: string,
    store: GitStore,
    oid: Oid,
    parseText: (text: string) => Promise<T>,
  ): Promise<ParsedFile<T>> {
    const known = kept.get(key);
    if (known !== undefined) return known as ParsedFile<T>;
    return flights.run(key, undefined, async () => {
      const parsed = await parse(store, oid, parseText);
      kept.set(key, parsed);
      return parsed;
    });
  }

  return {
    readTemplate: async (store, path, oid) => {
      const parsed = await parseOnce(`${isForm(path) ? "form" : "text"} ${oid}`, store, oid, (text) => parseTemplate(path, text, readYaml));
      return "value" in parsed ? { ...parsed, value: { ...parsed.value, fileName: path } } : parsed;
    },
    readConfig: (store, oid) => parseOnce(`config ${oid}`, store, oid, (text) => parseConfig(text, readYaml)),
  };
}

export interface TemplateDeps extends ViewpointDeps {
  readonly templateReader: TemplateReader;
}

interface Tree {
  readonly store: GitStore;
  readonly rootOid: string;
}

/** The tree of the default branch; undefined for a repository without one. */
async function defaultTree(deps: ViewpointDeps, repository: RepositorySubject): Promise<Tree | undefined> {
  if (repository.isEmpty) return undefined;
  const { commit } = await findViewpoint(deps, repository, "");
  return { store: codeStore(deps, repository), rootOid: commit.treeOid };
}

const isFile = ({ mode }: TreeEntry): boolean => mode === "100644" || mode === "100755";

export interface InvalidTemplate {
  readonly path: string;
  readonly problem: string;
}

export interface TemplateList {
  readonly templates: readonly IssueTemplateView[];
  /** Invalid files in the template folders. */
  readonly invalid: readonly InvalidTemplate[];
}

/** The issue templates of the default branch. @throws ForgeError `not_found`, `unavailable` */
export async function listTemplates(deps: TemplateDeps, repository: RepositorySubject): Promise<TemplateList> {
  const tree = await defaultTree(deps, repository);
  const templates: IssueTemplateView[] = [];
  const invalid: InvalidTemplate[] = [];
  let totalBytes = 0;
  if (tree === undefined) return { templates, invalid };
  for (const { path, oid } of await listFiles(tree)) {
    if (totalBytes > maxTotalBytes) {
      invalid.push({ path, problem: `the templates before this one exceed ${maxTotalBytes} bytes together: shorten or remove some` });
      continue;
    }
    const parsed = await deps.templateReader.readTemplate(tree.store, path, oid);
    totalBytes += parsed.sizeBytes;
    if ("value" in parsed) templates.push(parsed.value);
    else invalid.push({ path, problem: parsed.problem });
  }
  return { templates, invalid };
}

async function listFiles({ store, rootOid }: Tree): Promise<readonly { readonly path: string; readonly oid: Oid }[]> {
  const files: { readonly path: string; readonly oid: Oid }[] = [];
  for (const folder of folders) {
    const found = await findEntry(store, rootOid, folder);
    if (found?.mode !== "040000") continue;
    const entries = (await readTree(store, found.oid)) ?? [];
    for (const entry of entries) if (isFile(entry) && mayBeTemplate(entry.name)) files.push({ path: `${folder}/${entry.name}`, oid: entry.oid });
  }
  return files.slice(0, maxTemplates);
}

/** The configuration of the default branch, and the problem with it. An invalid configuration counts as an empty one. */
export async function readConfig(
  deps: TemplateDeps,
  repository: RepositorySubject,
): Promise<{ readonly config: IssueConfigView; readonly problem: string | undefined }> {
  const tree = await defaultTree(deps, repository);
  const oid = tree && (await findConfig(tree));
  if (tree === undefined || oid === undefined) return { config: defaultConfig, problem: undefined };
  const parsed = await deps.templateReader.readConfig(tree.store, oid);
  return "value" in parsed ? { config: parsed.value, problem: undefined } : { config: defaultConfig, problem: parsed.problem };
}

async function findConfig({ store, rootOid }: Tree): Promise<string | undefined> {
  for (const path of configs) {
    const entry = await findEntry(store, rootOid, path);
    if (entry !== undefined && isFile(entry)) return entry.oid;
  }
  return undefined;
}
