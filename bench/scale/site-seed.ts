import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { allScopes } from "../../src/access/scopes.ts";
import type { Tx } from "../../src/db/db.ts";
import { insertUser } from "../../src/features/accounts/users/service/accounts.ts";
import { insertTokenFor } from "../../src/features/accounts/users/service/tokens.ts";
import { seededRandom } from "../../test/kit/random.ts";
import { openSite, type Site } from "../issue-site.ts";

/** The size of a generated site. */
export interface SiteShape {
  readonly users: number;
  readonly organizations: number;
  readonly repositories: number;
  /** Repositories of the first user. */
  readonly ownRepositories: number;
  readonly repositoriesWithIssues: number;
  /** Issues of the first repository. */
  readonly issuesOfLargest: number;
  /** Issues of each other repository that has some. */
  readonly issuesOfOthers: number;
}

/** 20,000 repositories with a million issues. */
export const largeSite: SiteShape = {
  users: 2_000,
  organizations: 200,
  repositories: 20_000,
  ownRepositories: 500,
  repositoriesWithIssues: 6_000,
  issuesOfLargest: 100_000,
  issuesOfOthers: 150,
};

/** The same rows on a small site. */
export const smallSite: SiteShape = {
  users: 20,
  organizations: 4,
  repositories: 100,
  ownRepositories: 20,
  repositoriesWithIssues: 30,
  issuesOfLargest: 500,
  issuesOfOthers: 15,
};

/** Tokens of users who see much and little, all with every scope. */
export const tokens = {
  /** The site's administrator, `chief`. */
  admin: "b".repeat(40),
  /** `user0`, who owns many repositories, is in organizations, and has issues assigned. */
  user: "c".repeat(40),
  /** `restricted`, who can see only one repository. */
  restricted: "d".repeat(40),
};

/** Seeds a data folder, unless an earlier run has done so. */
export async function seedSite(folder: string, shape: SiteShape, isPostgres: boolean): Promise<void> {
  const mark = join(folder, "seeded");
  if (existsSync(mark)) return;
  mkdirSync(folder, { recursive: true });
  await using site = await openSite(folder, isPostgres);
  await fillSite(site, shape);
  writeFileSync(mark, "");
}

/** Adds the users, repositories and issues of a shape. */
export async function fillSite(site: Site, shape: SiteShape): Promise<void> {
  const random = seededRandom(7);
  const userIds = await seedUsers(site, shape);
  await seedOrganizations(site, shape);
  const repositories = await seedRepositories(site, shape, random);
  await seedPopularity(site, repositories, userIds, random);
  await seedIssues(site, shape, repositories, userIds, random);
  await site.maintain("vacuum analyze");
  await site.forge.settled();
}

const usersAtOnce = 100;

async function seedUsers({ forge }: Site, { users }: SiteShape): Promise<readonly number[]> {
  const { db, clock } = forge.context;
  const author = { id: 1, name: "chief", credential: { kind: "password", scopes: allScopes, isBasic: true } } as const;
  const usual = { fullName: "", isAdmin: false, mustChangePassword: false, visibility: "public", loginName: "", passwordHash: "" } as const;
  const ids: number[] = [];
  const insert = (tx: Tx, name: string, isRestricted: boolean): Promise<number> =>
    insertUser(tx, { ...usual, name, email: `${name}@example.com`, isRestricted, createdMs: clock.now() }, author);
  for (let from = 0; from < users; from += usersAtOnce) {
    await db.tx(async (tx) => {
      for (let at = from; at < Math.min(from + usersAtOnce, users); at += 1) ids.push(await insert(tx, `user${at}`, false));
    });
  }
  await db.tx(async (tx) => {
    const restricted = await insert(tx, "restricted", true);
    const shared = { name: "bench", scopes: allScopes, now: clock.now() };
    await insertTokenFor(tx, author, { ...shared, accountId: ids[0] ?? 0, text: tokens.user });
    await insertTokenFor(tx, author, { ...shared, accountId: restricted, text: tokens.restricted });
  });
  return ids;
}

const organizationName = (at: number): string => `group${at}`;

async function seedOrganizations({ call }: Site, { organizations }: SiteShape): Promise<void> {
  for (let at = 0; at < organizations; at += 1) {
    const visibility = at % 10 === 9 ? "private" : at % 10 === 8 ? "limited" : "public";
    await call("POST", "/orgs", { username: organizationName(at), visibility });
    if (at % 4 !== 0) continue;
    const { id } = (await call("POST", `/orgs/${organizationName(at)}/teams`, team)).json as { id: number };
    await call("PUT", `/teams/${id}/members/user0`);
  }
}

const team = { name: "readers", permission: "read", units: ["repo.code", "repo.issues", "repo.pulls"], includes_all_repositories: true };

interface SeededRepository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly isPrivate: boolean;
}

const creators = 8;

/** The first user's, then a tenth in organizations, and the others spread over the users. A quarter is private; half have a first commit. */
async function seedRepositories(site: Site, shape: SiteShape, random: (below: number) => number): Promise<readonly SeededRepository[]> {
  const rolls = Array.from({ length: shape.repositories }, () => ({
    owner: random(1 << 30),
    adjective: random(adjectives.length),
    topic: random(topics.length),
  }));
  const repositories: SeededRepository[] = [];
  let next = 0;
  const create = async (): Promise<void> => {
    while (next < shape.repositories) {
      const at = next;
      next += 1;
      const { owner: roll, adjective, topic } = rolls[at] as (typeof rolls)[number];
      const isInOrganization = at >= shape.ownRepositories && at % 10 === 0;
      const owner = isInOrganization ? organizationName(roll % shape.organizations) : `user${at < shape.ownRepositories ? 0 : roll % shape.users}`;
      const isPrivate = at % 4 === 3;
      const input = {
        name: `repo-${at}`,
        private: isPrivate,
        auto_init: at % 2 === 1,
        description: `A ${adjectives[adjective]} ${topics[topic]}, number ${at}`,
      };
      const { id } = (await site.call("POST", isInOrganization ? `/orgs/${owner}/repos` : `/admin/users/${owner}/repos`, input)).json as { id: number };
      repositories[at] = { id, owner, name: input.name, isPrivate };
      if (at % 20 === 0) await site.call("PUT", `/repos/${owner}/${input.name}/topics/${topics[topic]}`);
    }
  };
  await Promise.all(Array.from({ length: creators }, create));
  await site.call("PUT", `/repos/${repositories[3]?.owner}/${repositories[3]?.name}/collaborators/restricted`, { permission: "read" });
  return repositories;
}

const adjectives = ["small", "fast", "static", "portable", "tested", "minimal", "modern", "secure"];
const topics = ["parser", "compiler", "server", "editor", "library", "game", "driver", "kernel", "database", "client"];

/** Stars, and the sizes of stores, so that each order of repositories differs. */
async function seedPopularity(
  { forge }: Site,
  repositories: readonly SeededRepository[],
  userIds: readonly number[],
  random: (below: number) => number,
): Promise<void> {
  await forge.context.db.tx(async (tx) => {
    for (const { id } of repositories) {
      const stars = random(20) === 0 ? random(40) : 0;
      const rows = [...new Set(Array.from({ length: stars }, () => userIds[random(userIds.length)] ?? 0))].map((account_id) => ({
        repo_id: id,
        account_id,
        created_ms: tx.nowMs,
      }));
      if (rows.length > 0) await tx.sql.insertInto("stars").values(rows).execute();
      const counts = { stars_count: rows.length, forks_count: random(30) === 0 ? random(50) : 0, updated_ms: tx.nowMs - random(1_000_000_000) };
      await tx.sql.updateTable("repositories").set(counts).where("id", "=", id).execute();
    }
    await sql`update git_stores set size_bytes = size_bytes + (id * 7919) % 100003`.execute(tx.sql);
  });
}

const issuesAtOnce = 1_000;

async function seedIssues(
  site: Site,
  shape: SiteShape,
  repositories: readonly SeededRepository[],
  userIds: readonly number[],
  random: (below: number) => number,
): Promise<void> {
  const [largest, ...others] = repositories.slice(0, shape.repositoriesWithIssues);
  if (largest === undefined) return;
  const { db } = site.forge.context;
  const planned = await db.tx((tx) => seedLabels(tx, [largest, ...others]));
  for (let from = 1; from <= shape.issuesOfLargest; from += issuesAtOnce) {
    const count = Math.min(issuesAtOnce, shape.issuesOfLargest - from + 1);
    await db.tx((tx) => insertIssues(tx, [{ repository: largest, from, count }], planned, userIds, random));
  }
  const perTransaction = Math.max(1, Math.floor(issuesAtOnce / shape.issuesOfOthers));
  for (let at = 0; at < others.length; at += perTransaction) {
    const ranges = others.slice(at, at + perTransaction).map((repository) => ({ repository, from: 1, count: shape.issuesOfOthers }));
    await db.tx((tx) => insertIssues(tx, ranges, planned, userIds, random));
  }
}

type LabelsByRepository = ReadonlyMap<number, readonly number[]>;

const labelNames = ["bug", "feature", "question"];

async function seedLabels(tx: Tx, repositories: readonly SeededRepository[]): Promise<LabelsByRepository> {
  const common = { color: "abcdef", description: "", is_exclusive: 0, is_archived: 0, created_ms: tx.nowMs, updated_ms: tx.nowMs } as const;
  for (let from = 0; from < repositories.length; from += 300) {
    const rows = repositories.slice(from, from + 300).flatMap(({ id }) => labelNames.map((name) => ({ ...common, repo_id: id, org_id: null, name })));
    await tx.sql.insertInto("labels").values(rows).execute();
  }
  const rows = await tx.sql.selectFrom("labels").select(["id", "repo_id"]).where("repo_id", "is not", null).execute();
  const byRepository = new Map<number, number[]>();
  for (const { id, repo_id } of rows) if (repo_id !== null) byRepository.set(repo_id, [...(byRepository.get(repo_id) ?? []), id]);
  return byRepository;
}

interface IssueRange {
  readonly repository: SeededRepository;
  /** The first number. */
  readonly from: number;
  readonly count: number;
}

async function insertIssues(
  tx: Tx,
  ranges: readonly IssueRange[],
  labels: LabelsByRepository,
  userIds: readonly number[],
  random: (below: number) => number,
): Promise<void> {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const rows = ranges.flatMap(({ repository, from, count }) =>
    Array.from({ length: count }, (_, at) => {
      const isClosed = random(10) < 3;
      const times = { created_ms: tx.nowMs, updated_ms: tx.nowMs - random(1_000_000), closed_ms: isClosed ? tx.nowMs : null };
      const texts = {
        title: `${pick(adjectives)} ${pick(topics)} w${random(20_000)}`,
        content: `The ${pick(topics)} fails with w${random(20_000)}. `.repeat(4),
        ref: "",
      };
      return {
        repo_id: repository.id,
        number: from + at,
        is_pull: 0,
        is_closed: isClosed ? 1 : 0,
        poster_id: pick(userIds),
        milestone_id: null,
        ...texts,
        ...times,
      } as const;
    }),
  );
  const inserted = await tx.sql.insertInto("issues").values(rows).returning(["id", "repo_id"]).execute();
  const labelled = inserted.map(({ id, repo_id }) => ({ issue_id: id, label_id: pick(labels.get(repo_id) ?? [0]) }));
  await tx.sql.insertInto("issue_labels").values(labelled).execute();
  const assigned = inserted.filter(() => random(3) === 0).map(({ id }) => ({ issue_id: id, account_id: pick(userIds), position: 1 }));
  if (assigned.length > 0) await tx.sql.insertInto("issue_assignees").values(assigned).execute();
  const mentioned = inserted.filter(() => random(20) === 0).map(({ id }) => ({ issue_id: id, account_id: pick(userIds) }));
  if (mentioned.length > 0) await tx.sql.insertInto("issue_mentions").values(mentioned).execute();
  const ids = inserted.map(({ id }) => id);
  const textKey = sql.ref(tx.dialect === "sqlite" ? "rowid" : "id");
  await sql`insert into issue_texts (${textKey}, content) select id, lower(title) || ${"\n"} || lower(content) from issues
    where id >= ${Math.min(...ids)} and id <= ${Math.max(...ids)}`.execute(tx.sql);
  for (const { repository, from, count } of ranges) {
    const closed = rows.filter((row) => row.repo_id === repository.id && row.is_closed === 1).length;
    await tx.sql
      .updateTable("repositories")
      .set((eb) => ({
        last_issue_number: from + count - 1,
        open_issues_count: eb("open_issues_count", "+", count - closed),
        closed_issues_count: eb("closed_issues_count", "+", closed),
      }))
      .where("id", "=", repository.id)
      .execute();
  }
}
