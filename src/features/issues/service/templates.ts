import type { RepositorySubject } from "../../../access/subjects.ts";
import { findEntry, readBlob, readTree } from "../../../git/objects.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { TreeEntry } from "../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { findViewpoint, type ViewpointDeps } from "../../contents/service/viewpoint.ts";
import { defaultConfig, type IssueConfigView, parseConfig } from "../templates/config.ts";
import { type IssueTemplateView, mayBeTemplate, parseTemplate } from "../templates/template.ts";
import { TemplateProblem } from "../templates/yaml.ts";

/** Where templates lie, in the order in which they are listed. */
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

async function readText(store: GitStore, oid: string): Promise<string> {
  const blob = await readBlob(store, oid, maxFileBytes);
  if (blob?.data === undefined) throw new TemplateProblem(`the file is larger than ${maxFileBytes} bytes`);
  return blob.data.toString("utf8");
}

/** The templates that the default branch has for issues; files that are none are left out. @throws ForgeError `not_found` */
export async function listTemplates(deps: ViewpointDeps, repository: RepositorySubject): Promise<readonly IssueTemplateView[]> {
  const tree = await defaultTree(deps, repository);
  if (tree === undefined) return [];
  const templates: IssueTemplateView[] = [];
  for (const folder of folders) {
    for (const entry of await listFolder(tree, folder)) {
      if (templates.length >= maxTemplates) return templates;
      const template = await readTemplate(tree.store, `${folder}/${entry.name}`, entry.oid);
      if (template !== undefined) templates.push(template);
    }
  }
  return templates;
}

async function listFolder({ store, rootOid }: Tree, folder: string): Promise<readonly TreeEntry[]> {
  const found = await findEntry(store, rootOid, folder);
  if (found?.mode !== "040000") return [];
  const entries = (await readTree(store, found.oid)) ?? [];
  return entries.filter((entry) => isFile(entry) && mayBeTemplate(entry.name)).slice(0, maxTemplates);
}

async function readTemplate(store: GitStore, path: string, oid: string): Promise<IssueTemplateView | undefined> {
  try {
    return await parseTemplate(path, await readText(store, oid));
  } catch (error) {
    if (error instanceof TemplateProblem) return undefined;
    throw error;
  }
}

/** What the default branch says about how issues are opened, and what is wrong with it: then it counts as if it said nothing. */
export async function readConfig(
  deps: ViewpointDeps,
  repository: RepositorySubject,
): Promise<{ readonly config: IssueConfigView; readonly problem: string | undefined }> {
  const tree = await defaultTree(deps, repository);
  const oid = tree && (await findConfig(tree));
  if (tree === undefined || oid === undefined) return { config: defaultConfig, problem: undefined };
  try {
    return { config: await parseConfig(await readText(tree.store, oid)), problem: undefined };
  } catch (error) {
    if (error instanceof TemplateProblem) return { config: defaultConfig, problem: error.message };
    throw error;
  }
}

async function findConfig({ store, rootOid }: Tree): Promise<string | undefined> {
  for (const path of configs) {
    const entry = await findEntry(store, rootOid, path);
    if (entry !== undefined && isFile(entry)) return entry.oid;
  }
  return undefined;
}
