import { join } from "node:path";
import { foldName } from "../../core/names.ts";
import type { Batch } from "../../db/row-batch.ts";
import type { ImportedAccounts } from "./accounts.ts";
import type { Conversion } from "./context.ts";
import { repositoryName } from "./names.ts";
import { silentReport } from "./report.ts";
import { convertSettings } from "./repository-settings.ts";
import { type ForeignRow, flagOf, millisOf, millisOrNull, numberOf, textOf } from "./source.ts";

/** A repository to import. */
export interface RepositoryPlan {
  readonly id: number;
  readonly ownerId: number;
  /** `owner/name` in Gitea. */
  readonly shownAs: string;
  /** The names in Gitea and here. */
  readonly formerName: string;
  readonly name: string;
  /** Paths of the bare repositories of Gitea. */
  readonly codePath: string;
  readonly wikiPath: string;
  readonly format: "sha1" | "sha256";
  readonly defaultBranch: string;
  readonly wikiBranch: string;
  /** The parent, if it is imported. */
  readonly forkOf: number | null;
  readonly networkId: number | null;
  readonly forksCount: number;
}

/** Columns that plans depend on. The others are read with each repository. */
const plannedColumns = "id, owner_id, owner_name, name, lower_name, is_fork, fork_id, object_format_name, default_branch, default_wiki_branch";

/** All columns of a repository. */
export async function readRepository({ source }: Pick<Conversion, "source">, { id }: Pick<RepositoryPlan, "id">): Promise<ForeignRow> {
  const [row = {}] = await source.database.all("select * from repository where id = ?", [id]);
  return row;
}

/** All repositories, parents before their forks. */
export async function planRepositories({ source, report }: Conversion, accounts: ImportedAccounts): Promise<readonly RepositoryPlan[]> {
  const rows = await source.database.all(`select ${plannedColumns} from repository order by id`);
  const kept = new Map(rows.filter((row) => accounts.kinds.has(numberOf(row.owner_id))).map((row) => [numberOf(row.id), row]));
  for (const row of rows) if (!kept.has(numberOf(row.id))) report.without("repositories without an owner", `${textOf(row.owner_name)}/${textOf(row.name)}`);
  const names = chooseNames(kept, accounts, report);
  const forks = new Map<number, number>();
  const owners = new Set<string>();
  const parents = new Map<number, number>();
  for (const [id, row] of kept) {
    const parent = flagOf(row.is_fork) === 1 ? numberOf(row.fork_id) : 0;
    if (!kept.has(parent) || parent === id) continue;
    // An owner has at most one fork of a repository.
    const owned = `${parent} ${numberOf(row.owner_id)}`;
    if (owners.has(owned)) {
      report.without("second forks of an owner, which are no longer forks", textOf(row.name));
      continue;
    }
    owners.add(owned);
    parents.set(id, parent);
    forks.set(parent, (forks.get(parent) ?? 0) + 1);
  }
  const plans = [...kept].map(([id, row]) => {
    const former = accounts.formerNames.get(numberOf(row.owner_id)) ?? "";
    const folder = join(source.places.repositories, former.toLowerCase());
    const forkOf = parents.get(id) ?? null;
    return {
      id,
      ownerId: numberOf(row.owner_id),
      shownAs: `${former}/${textOf(row.name)}`,
      formerName: textOf(row.name),
      name: names.get(id) ?? "",
      codePath: join(folder, `${textOf(row.lower_name)}.git`),
      wikiPath: join(folder, `${textOf(row.lower_name)}.wiki.git`),
      format: textOf(row.object_format_name) === "sha256" ? ("sha256" as const) : ("sha1" as const),
      defaultBranch: textOf(row.default_branch) || "main",
      wikiBranch: textOf(row.default_wiki_branch) || "main",
      forkOf,
      networkId: forkOf === null ? null : rootOf(id, parents),
      forksCount: forks.get(id) ?? 0,
    };
  });
  return plans.toSorted((a, b) => depthOf(a.id, parents) - depthOf(b.id, parents) || a.id - b.id);
}

/** Valid names are kept, so they are taken before any other name is chosen. */
function chooseNames(rows: ReadonlyMap<number, ForeignRow>, accounts: ImportedAccounts, report: Conversion["report"]): ReadonlyMap<number, string> {
  const taken = Map.groupBy(rows.values(), (row) => numberOf(row.owner_id));
  const names = new Map<number, string>();
  for (const [ownerId, own] of taken) {
    const used = new Set<string>();
    const owner = accounts.formerNames.get(ownerId) ?? "";
    const choose = (row: ForeignRow, where: Set<string>, to: Conversion["report"]): string =>
      repositoryName({ id: numberOf(row.id), name: textOf(row.name), owner }, where, to);
    const isAltered = (row: ForeignRow): boolean => choose(row, new Set(), silentReport) !== textOf(row.name);
    for (const row of own.toSorted((a, b) => Number(isAltered(a)) - Number(isAltered(b)))) names.set(numberOf(row.id), choose(row, used, report));
  }
  return names;
}

/** A circle of broken rows ends at its first repeated member. */
function chainOf(id: number, parents: ReadonlyMap<number, number>): readonly number[] {
  const chain: number[] = [];
  for (let at = parents.get(id); at !== undefined && !chain.includes(at) && at !== id; at = parents.get(at)) chain.push(at);
  return chain;
}
const rootOf = (id: number, parents: ReadonlyMap<number, number>): number => chainOf(id, parents).at(-1) ?? id;
const depthOf = (id: number, parents: ReadonlyMap<number, number>): number => chainOf(id, parents).length;

const trustModels = ["default", "committer", "collaborator", "collaboratorcommitter"] as const;

/** Facts about the imported git content. */
export interface ImportedContent {
  readonly codeStoreId: number;
  readonly wikiStoreId: number | null;
  readonly defaultBranch: string;
  readonly branchesCount: number;
}

export interface RepositoryRowInput {
  readonly row: ForeignRow;
  readonly content: ImportedContent;
  readonly avatar: string;
  readonly isMirror: boolean;
  readonly watchers: number;
  readonly stars: number;
  readonly releases: number;
  readonly filesBytes: number;
}

/** Counts of other rows are given, because the row is written first. */
export async function addRepositoryRow({ source, report }: Conversion, plan: RepositoryPlan, batch: Batch, given: RepositoryRowInput): Promise<void> {
  const { id } = plan;
  const { row, content } = given;
  const units = await source.database.all("select * from repo_unit where repo_id = ? order by id", [id]);
  if (flagOf(row.close_issues_via_commit_in_any_branch) === 1) report.without("closing issues by commits in any branch", plan.shownAs);
  const language = await source.database.all("select language from language_stat where repo_id = ? and size > 0 order by size desc, language limit 1", [id]);
  batch.add("repositories", {
    id,
    owner_id: plan.ownerId,
    name: plan.name,
    name_folded: foldName(plan.name),
    description: textOf(row.description),
    website: textOf(row.website),
    original_url: textOf(row.original_url),
    is_private: flagOf(row.is_private),
    is_template: flagOf(row.is_template),
    is_archived: flagOf(row.is_archived),
    is_mirror: given.isMirror ? 1 : 0,
    is_empty: content.branchesCount === 0 ? 1 : 0,
    fork_of: plan.forkOf,
    network_id: plan.networkId,
    code_store_id: content.codeStoreId,
    wiki_store_id: content.wikiStoreId,
    default_branch: content.defaultBranch,
    trust_model: trustModels[numberOf(row.trust_model)] ?? "default",
    avatar: given.avatar,
    settings: JSON.stringify(convertSettings(units, plan.shownAs, report)),
    licenses: "",
    language: textOf(language[0]?.language),
    stars_count: given.stars,
    forks_count: plan.forksCount,
    watchers_count: given.watchers,
    branches_count: content.branchesCount,
    releases_count: given.releases,
    files_bytes: given.filesBytes,
    created_ms: millisOf(row.created_unix),
    updated_ms: millisOf(row.updated_unix),
    archived_ms: millisOrNull(row.archived_unix) ?? 0,
    deleted_ms: null,
  });
  report.count("repositories", 1);
}
