import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../../test/kit/databases.ts";
import { account, gitStore, repository, team } from "../../../../../../test/kit/rows.ts";
import { type Actor, anonymous, type UserActor } from "../../../../../access/actor.ts";
import { atLeast, type Unit } from "../../../../../access/repository.ts";
import { allScopes } from "../../../../../access/scopes.ts";
import type { Db, Tx } from "../../../../../db/db.ts";
import { findRepositoriesById } from "../../../../repositories/repos/service/find.ts";
import { readableUnits } from "../../../../repositories/repos/service/readable.ts";
import { countReadable, readableIds } from "./totals.ts";

const settings = {
  default: {},
  "no issues": { hasIssues: false },
  "no pulls": { hasPullRequests: false },
  external: { externalTracker: { url: "https://example.org", format: "", style: "numeric", regexpPattern: "" } },
} as const;

const visibilities = ["public", "limited", "private"] as const;

const userOf = (id: number, more: Partial<UserActor> = {}): UserActor => ({
  kind: "user",
  id,
  name: `user${id}`,
  fullName: "",
  email: "",
  hideEmail: false,
  isAdmin: false,
  isRestricted: false,
  credential: { kind: "password", scopes: allScopes, isBasic: true },
  ...more,
});

/** Repositories of all kinds of owners and settings, and actors with all kinds of grants. */
async function seed(tx: Tx): Promise<{ readonly ids: readonly number[]; readonly actors: ReadonlyMap<string, Actor> }> {
  let last = 0;
  const add = (kind: "user" | "organization", visibility: (typeof visibilities)[number]): Promise<number> => {
    last += 1;
    return account(tx, { kind, name: `a${last}`, name_folded: `a${last}`, visibility });
  };
  const user = (): Promise<number> => add("user", "public");
  const [stranger, collaborator, restricted, member, codeTeam, issueTeam, pullTeam, adminTeam, ownerTeam, everyRepository] = [
    await user(),
    await user(),
    await user(),
    await user(),
    await user(),
    await user(),
    await user(),
    await user(),
    await user(),
    await user(),
  ];
  const ids: number[] = [];
  const owners: number[] = [];
  for (const kind of ["user", "organization"] as const) {
    for (const visibility of visibilities) {
      const ownerId = await add(kind, visibility);
      owners.push(ownerId);
      const own: number[] = [];
      for (const [name, given] of Object.entries(settings)) {
        for (const is_private of [0, 1] as const) {
          const row = { owner_id: ownerId, code_store_id: await gitStore(tx), name: `${name} ${is_private}`, name_folded: `${name} ${is_private}` };
          const counts = { open_issues_count: 1 + ids.length, closed_issues_count: 3, open_pulls_count: 100 + ids.length, closed_pulls_count: 7 };
          own.push(await repository(tx, { ...row, ...counts, is_private, last_issue_number: 500, settings: JSON.stringify(given) }));
        }
      }
      ids.push(...own);
      for (const account_id of [collaborator, restricted])
        await tx.sql
          .insertInto("collaborators")
          .values({ repo_id: own[1] ?? 0, account_id, mode: "read", created_ms: 1 })
          .execute();
      if (kind === "user") continue;
      const repositories = [own[1] ?? 0, own[2] ?? 0];
      const given = { orgId: ownerId, repositories };
      await team(tx, { ...given, name: "member", members: [member, restricted], repositories: [] });
      await team(tx, { ...given, name: "code", units: { "repo.code": "write" }, members: [codeTeam] });
      await team(tx, { ...given, name: "issues", units: { "repo.issues": "read", "repo.pulls": "none" }, members: [issueTeam] });
      await team(tx, { ...given, name: "pulls", units: { "repo.pulls": "write" }, members: [pullTeam] });
      await team(tx, { ...given, name: "admin", mode: "admin", members: [adminTeam] });
      await team(tx, { ...given, name: "owner", mode: "owner", members: [ownerTeam], repositories: [] });
      await team(tx, { ...given, name: "all", units: { "repo.issues": "read" }, hasAllRepositories: true, members: [everyRepository], repositories: [] });
    }
  }
  const hash = { token_hash: "h", last_eight: "e", scopes: "all", created_ms: 1, last_used_ms: 0, expires_ms: null, is_limited: 1 } as const;
  const token = await tx.sql
    .insertInto("access_tokens")
    .values({ account_id: owners[2] ?? 0, name: "limited", ...hash })
    .returning("id")
    .executeTakeFirstOrThrow();
  const limited = ids.filter((_, at) => at % 3 === 0);
  for (const repo_id of limited) await tx.sql.insertInto("access_token_repositories").values({ token_id: token.id, repo_id }).execute();
  const publicOnly = { kind: "token", scopes: { ...allScopes, publicOnly: true }, isBasic: false } as const;
  const limit = { tokenId: token.id, repositoryIds: new Set(limited) };
  const all = new Map<string, Actor>([["anonymous", anonymous]]);
  const people = { stranger, collaborator, restricted, member, codeTeam, issueTeam, pullTeam, adminTeam, ownerTeam, everyRepository };
  const named = [...Object.entries(people), ...owners.map((id, at) => [`owner ${at}`, id] as const)];
  for (const [name, id] of named) {
    const isRestricted = name === "restricted";
    all.set(name, userOf(id, { isRestricted }));
    all.set(`${name}, public only`, userOf(id, { isRestricted, credential: publicOnly }));
    all.set(`${name}, limited token`, userOf(id, { isRestricted, credential: { kind: "token", scopes: allScopes, isBasic: false, limit } }));
    all.set(`${name}, administrator`, userOf(id, { isRestricted, isAdmin: true }));
    all.set(`${name}, administrator, public only`, userOf(id, { isAdmin: true, credential: publicOnly }));
    all.set(`${name}, administrator, limited token`, userOf(id, { isAdmin: true, credential: { kind: "token", scopes: allScopes, isBasic: false, limit } }));
  }
  return { ids, actors: all };
}

/** Compares the conditions and totals of each actor with the rights that look-ups evaluate. */
async function compare(db: Db, ids: readonly number[], actors: ReadonlyMap<string, Actor>): Promise<void> {
  const rows = await db.sql.selectFrom("repositories").selectAll().execute();
  const [first, , , , organization] = [...new Set(rows.map((row) => row.owner_id))];
  for (const [name, actor] of actors) {
    const subjects = await findRepositoriesById({ db }, ids, actor);
    const reads = (id: number, unit: Unit): boolean => atLeast(subjects.get(id)?.right.unit(unit) ?? "none", "read");
    for (const ownerId of [undefined, first, organization]) {
      const readable = readableUnits(actor, { ownerId });
      const listed = rows.filter((row) => ownerId === undefined || row.owner_id === ownerId);
      const { rows: found } = await sql<{ id: number; issues: number; pulls: number }>`select r.id, case when ${readable.issues} then 1 else 0 end as issues,
        case when ${readable.pulls} then 1 else 0 end as pulls from repositories r order by r.id`.execute(db.sql);
      const describe = (id: number): string => `${name}, owner ${ownerId}, repository ${id}`;
      const lists = (id: number, unit: Unit): boolean => listed.some((row) => row.id === id) && reads(id, unit);
      expect(found.map(({ id, issues, pulls }) => [describe(id), Number(issues) === 1, Number(pulls) === 1])).toEqual(
        found.map(({ id }) => [describe(id), lists(id, "repo.issues"), lists(id, "repo.pulls")]),
      );
      const issues = listed.filter(({ id }) => reads(id, "repo.issues"));
      const pulls = listed.filter(({ id }) => reads(id, "repo.pulls"));
      const { rows: enumerated } = await sql<{ id: number }>`${readableIds(readable)}`.execute(db.sql);
      expect([name, new Set(enumerated.map(({ id }) => id))]).toEqual([name, new Set([...issues, ...pulls].map(({ id }) => id))]);
      const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
      const openIssues = sum(issues.map((row) => row.open_issues_count));
      const all =
        sum(issues.map((row) => row.open_issues_count + row.closed_issues_count)) + sum(pulls.map((row) => row.open_pulls_count + row.closed_pulls_count));
      const total = async (kind: Parameters<typeof countReadable>[2]) => (await countReadable(db, readable, kind)).readable;
      expect([describe(0), await total({ isPull: false, isClosed: false }), await total({})]).toEqual([describe(0), openIssues, all]);
    }
  }
  const stored = await countReadable(db, readableUnits(userOf(1, { isAdmin: true }), {}), {});
  expect(stored.all).toBe(rows.reduce((n, row) => n + row.open_issues_count + row.closed_issues_count + row.open_pulls_count + row.closed_pulls_count, 0));
}

eachDialect((dialect) => {
  describe("conditions and totals across repositories", () => {
    test("agree with the rights of look-ups for every kind of actor, also after each kind of change", { timeout: 60_000 }, async () => {
      await using database = await dialect.open();
      const { db } = database;
      const { ids, actors } = await db.tx(seed);
      await compare(db, ids, actors);
      const some = new Map([...actors].filter(([name]) => !name.includes(",")));
      const update = (change: (tx: Tx) => Promise<unknown>): Promise<void> => db.tx(async (tx) => void (await change(tx)));
      await update(({ sql: query }) =>
        query.updateTable("accounts").set({ visibility: "private" }).where("visibility", "=", "public").where("name", ">", "a10").execute(),
      );
      await compare(db, ids, some);
      await update(({ sql: query }) => query.updateTable("repositories").set({ is_private: sql`1 - is_private` }).execute());
      await update(({ sql: query }) => query.updateTable("repositories").set({ deleted_ms: 5 }).where("id", "in", ids.slice(0, 5)).execute());
      await update(({ sql: query }) =>
        query.updateTable("repositories").set({ open_issues_count: 9, closed_pulls_count: 2 }).where("id", "in", ids.slice(3, 20)).execute(),
      );
      await compare(db, ids, some);
      await update(({ sql: query }) =>
        query
          .updateTable("repositories")
          .set({ deleted_ms: null, settings: JSON.stringify(settings["no pulls"]) })
          .where("id", "in", ids.slice(0, 9))
          .execute(),
      );
      await update(({ sql: query }) => query.deleteFrom("repositories").where("id", "in", ids.slice(10, 14)).execute());
      await compare(db, ids, some);
    });
  });
});
