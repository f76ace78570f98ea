import { foldName } from "../../core/names.ts";
import { type Batch, newBatch } from "../../db/row-batch.ts";
import type { ImportedAccounts } from "./accounts.ts";
import type { Conversion } from "./context.ts";
import type { RepositoryPlan } from "./repositories.ts";
import { type ForeignRow, millisOf, numberOf, textOf } from "./source.ts";

/** Accounts, teams and keys that a repository may refer to. */
export interface Known {
  readonly accounts: ImportedAccounts;
  /** Teams without access to all repositories. */
  readonly teams: ReadonlySet<number>;
  /** Teams of all kinds. */
  readonly allTeams: ReadonlySet<number>;
  readonly deployKeys: ReadonlySet<number>;
  readonly topics: ReadonlySet<number>;
  readonly repositories: ReadonlySet<number>;
  /** By `owner/name` in Gitea, in lower case. */
  readonly repositoryIds: ReadonlyMap<string, number>;
  /** Organizations of labels, by id of the label. */
  readonly orgLabels: ReadonlyMap<number, number>;
  /** Issues that are not imported. */
  readonly brokenIssues: ReadonlySet<number>;
  /** Timeline entries whose other issue or comment is missing. */
  readonly brokenReferences: ReadonlySet<number>;
}

export interface Relations {
  readonly batch: Batch;
  readonly watchers: number;
  readonly stars: number;
}

const collaboratorModes = { 1: "read", 2: "write", 3: "admin", 4: "admin" } as const;
/** Watches that notify: chosen, and made by a change. */
const watchModes: readonly number[] = [1, 3];
const writeMode = 2;

/** Collaborators, teams, watches, stars, topics, deploy keys and former names. Rows of missing accounts are not kept. */
export async function convertRelations({ source, report }: Conversion, plan: RepositoryPlan, known: Known): Promise<Relations> {
  const { database } = source;
  const batch = newBatch();
  const { id } = plan;
  const isUser = (accountId: number): boolean => known.accounts.kinds.get(accountId) === "user";
  const rowsOf = (table: string, column = "repo_id"): Promise<readonly ForeignRow[]> => database.all(`select * from ${table} where ${column} = ?`, [id]);

  for (const row of once(await rowsOf("collaboration"), (one) => one.user_id)) {
    const mode = collaboratorModes[numberOf(row.mode) as keyof typeof collaboratorModes];
    const accountId = numberOf(row.user_id);
    if (mode === undefined || !isUser(accountId)) report.without("collaborators without an account or rights", plan.shownAs);
    else batch.add("collaborators", { repo_id: id, account_id: accountId, mode, created_ms: millisOf(row.created_unix) });
  }
  for (const row of once(await rowsOf("team_repo"), (one) => one.team_id))
    if (known.teams.has(numberOf(row.team_id))) batch.add("team_repositories", { team_id: numberOf(row.team_id), repo_id: id });
  for (const row of once(await rowsOf("watch"), (one) => one.user_id)) {
    if (watchModes.includes(numberOf(row.mode)) && isUser(numberOf(row.user_id)))
      batch.add("watches", { repo_id: id, account_id: numberOf(row.user_id), created_ms: millisOf(row.created_unix) });
  }
  for (const row of once(await rowsOf("star"), (one) => one.uid))
    if (isUser(numberOf(row.uid))) batch.add("stars", { repo_id: id, account_id: numberOf(row.uid), created_ms: millisOf(row.created_unix) });
  for (const row of await rowsOf("repo_topic"))
    if (known.topics.has(numberOf(row.topic_id))) batch.add("repository_topics", { repo_id: id, topic_id: numberOf(row.topic_id) });
  addDeployKeys(batch, await rowsOf("deploy_key"), { plan, known, report });
  for (const kind of ["collaborators", "watches", "stars", "deploy_keys"] as const) report.count(kind.replace("_", " "), batch.size(kind));
  return { batch, watchers: batch.size("watches"), stars: batch.size("stars") };
}

function once(rows: readonly ForeignRow[], keyOf: (row: ForeignRow) => unknown): readonly ForeignRow[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

interface Adding extends Pick<Conversion, "report"> {
  readonly plan: RepositoryPlan;
  readonly known: Known;
}

function addDeployKeys(batch: Batch, rows: readonly ForeignRow[], { plan, known, report }: Adding): void {
  const titles = new Set<string>();
  for (const row of once(rows, (one) => one.key_id)) {
    const [id, keyId, name] = [numberOf(row.id), numberOf(row.key_id), textOf(row.name)];
    if (!known.deployKeys.has(keyId)) {
      report.without("deploy keys that Hearth refuses", `${name} of ${plan.shownAs}`);
      continue;
    }
    const title = titles.has(name) ? `${name} (${id})` : name;
    titles.add(title);
    batch.add("deploy_keys", {
      id,
      repo_id: plan.id,
      key_id: keyId,
      title,
      is_read_only: numberOf(row.mode) < writeMode ? 1 : 0,
      created_ms: millisOf(row.created_unix),
      last_used_ms: 0,
    });
  }
}

/** Topics with the number of their repositories. */
export async function convertTopics({ source, report }: Conversion, plans: readonly RepositoryPlan[]): Promise<Batch> {
  const batch = newBatch();
  const ids = new Set(plans.map(({ id }) => id));
  const counts = new Map<number, number>();
  for (const row of await source.database.all("select repo_id, topic_id from repo_topic")) {
    if (ids.has(numberOf(row.repo_id))) counts.set(numberOf(row.topic_id), (counts.get(numberOf(row.topic_id)) ?? 0) + 1);
  }
  for (const row of once(await source.database.all("select * from topic order by id"), (one) => one.name)) {
    batch.add("topics", {
      id: numberOf(row.id),
      name: textOf(row.name),
      repo_count: counts.get(numberOf(row.id)) ?? 0,
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
    });
  }
  report.count("topics", batch.size("topics"));
  return batch;
}

/** Former names of repositories, unless a repository has the name now. */
export async function convertRedirects({ source }: Conversion, plans: readonly RepositoryPlan[]): Promise<Batch> {
  const batch = newBatch();
  const used = new Set(plans.map(({ ownerId, name }) => `${ownerId} ${foldName(name)}`));
  const ids = new Set(plans.map(({ id }) => id));
  const add = (ownerId: number, name: string, repoId: number): void => {
    const key = `${ownerId} ${foldName(name)}`;
    if (used.has(key) || !ids.has(repoId)) return;
    used.add(key);
    batch.add("repository_redirects", { owner_id: ownerId, name_folded: foldName(name), repo_id: repoId });
  };
  for (const { id, ownerId, name, formerName } of plans) if (formerName !== name) add(ownerId, formerName, id);
  const owners = new Set(plans.map(({ ownerId }) => ownerId));
  for (const row of await source.database.all("select * from repo_redirect order by id"))
    if (owners.has(numberOf(row.owner_id))) add(numberOf(row.owner_id), textOf(row.lower_name), numberOf(row.redirect_repo_id));
  return batch;
}
