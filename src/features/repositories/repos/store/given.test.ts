import { CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { rowsRead } from "../../../../../test/kit/plans.ts";
import { account, gitStore, repository, team } from "../../../../../test/kit/rows.ts";
import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import { allScopes } from "../../../../access/scopes.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { findRepositoriesById } from "../service/find.ts";
import { countGiven, firstGivenIds, firstGivenPlaces, pageGivenByName } from "./given.ts";
import { searchRepositoryIds } from "./search.ts";

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

let names = 0;
async function add(
  tx: Tx,
  owner_id: number,
  values: { readonly updated_ms: number; readonly is_private?: 0 | 1; readonly deleted_ms?: number },
): Promise<number> {
  names += 1;
  return repository(tx, { owner_id, code_store_id: await gitStore(tx), name: `r${names}`, name_folded: `r${names}`, ...values });
}

async function seed(tx: Tx) {
  const named = (name: string, kind: "user" | "organization" = "user") => account(tx, { name, name_folded: name, kind });
  const [many, few, none, stranger] = [await named("many"), await named("few"), await named("none"), await named("stranger")];
  const [open, closed] = [await named("open", "organization"), await named("closed", "organization")];
  const ids: number[] = [];
  // Several have the same time, and each kind of access is among the newest and the oldest.
  for (let at = 0; at < 60; at += 1) {
    const owner = [many, open, closed, stranger, many, at < 20 ? few : open][at % 6] ?? many;
    const isPrivate = at % 4 === 1 ? 1 : 0;
    ids.push(await add(tx, owner, { updated_ms: Math.floor(((at * 37) % 60) / 3), is_private: isPrivate, ...(at % 11 === 5 && { deleted_ms: 9 }) }));
  }
  await team(tx, { orgId: open, name: "all", units: { "repo.code": "read" }, hasAllRepositories: true, members: [many] });
  await team(tx, { orgId: closed, name: "some", units: { "repo.code": "read" }, repositories: ids.filter((_, at) => at % 12 === 2), members: [many, few] });
  for (const repo_id of ids.filter((_, at) => at % 6 === 3)) {
    for (const account_id of [few, none]) await tx.sql.insertInto("collaborators").values({ repo_id, account_id, mode: "read", created_ms: 1 }).execute();
  }
  const values = { token_hash: "h", last_eight: "e", scopes: "all", created_ms: 1, last_used_ms: 0, expires_ms: null, is_limited: 1 } as const;
  const limited = await tx.sql
    .insertInto("access_tokens")
    .values({ account_id: many, name: "limited", ...values })
    .returning("id")
    .executeTakeFirstOrThrow();
  const repositoryIds = new Set(ids.filter((_, at) => at % 3 === 0));
  for (const repo_id of repositoryIds) await tx.sql.insertInto("access_token_repositories").values({ token_id: limited.id, repo_id }).execute();
  return { many, few, none, stranger, limit: { tokenId: limited.id, repositoryIds } };
}

const publicOnly = { kind: "token", scopes: { ...allScopes, publicOnly: true }, isBasic: false } as const;

async function searchesOf(db: Db, table: string, statement: string): Promise<readonly string[]> {
  const { rows } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
  return rows.map(({ detail }) => detail).filter((step) => step.startsWith(`SEARCH ${table} `));
}

eachDialect((dialect) => {
  test("the first repositories given to an account, and their number, are those of the search for them", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const { many, few, none, stranger, limit } = await db.tx(seed);
    const callers = [many, few, none, stranger].flatMap((id) => [
      userOf(id),
      userOf(id, { isRestricted: true }),
      userOf(id, { isAdmin: true }),
      userOf(id, { credential: publicOnly }),
      userOf(id, { credential: { kind: "token", scopes: allScopes, isBasic: false, limit } }),
    ]);
    const totals: number[] = [];
    for (const [at, actor] of callers.entries()) {
      const filter = { accessible: { accountId: actor.id, includesOwn: true, includesTeams: true }, sort: "updated", direction: "desc" } as const;
      const { items, total } = await searchRepositoryIds(db, actor, filter, { page: 1, limit: 100, offset: 0 });
      expect([at, await countGiven(db, actor)]).toEqual([at, total]);
      for (const limit of [1, 2, 5, 10, 30, 100]) expect([at, limit, await firstGivenIds(db, actor, limit)]).toEqual([at, limit, items.slice(0, limit)]);
      totals.push(total);
    }
    expect(Math.max(...totals)).toBeGreaterThan(30);
    expect(new Set(totals).size).toBeGreaterThan(2);
  });

  test("pages of the repositories given to an account by name are those of the search for them", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const { many, few, none, stranger, limit } = await db.tx(seed);
    const limited = { kind: "token", scopes: allScopes, isBasic: false, limit } as const;
    const callers = [many, few, none, stranger].flatMap((id) => [
      userOf(id),
      userOf(id, { isRestricted: true }),
      userOf(id, { isAdmin: true }),
      userOf(id, { credential: publicOnly }),
      userOf(id, { credential: limited }),
    ]);
    const totals: number[] = [];
    for (const [at, actor] of callers.entries()) {
      const filter = { accessible: { accountId: actor.id, includesOwn: true, includesTeams: true }, sort: "name", direction: "asc" } as const;
      for (const [limit, offset] of [
        [100, 0],
        [3, 0],
        [3, 6],
        [50, 30],
        [5, 100],
      ] as const) {
        const page = { page: 1, limit, offset };
        const expected = await searchRepositoryIds(db, actor, filter, page);
        expect([at, page, await pageGivenByName(db, actor, page)]).toEqual([at, page, expected]);
        totals.push(expected.total);
      }
    }
    expect(Math.max(...totals)).toBeGreaterThan(30);
    expect(new Set(totals).size).toBeGreaterThan(2);
  });

  test("the first given repositories whose issues or pull requests an account can read are those that the rights allow", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const { many, few, none, stranger, limit } = await db.tx(seed);
    const limited = { kind: "token", scopes: allScopes, isBasic: false, limit } as const;
    const callers = [many, few, none, stranger].flatMap((id) => [userOf(id), userOf(id, { isRestricted: true }), userOf(id, { credential: limited })]);
    const excluded: number[] = [];
    for (const [at, actor] of callers.entries()) {
      const ids = await firstGivenIds(db, actor, 30);
      const repositories = await findRepositoriesById({ db }, ids, actor);
      for (const kind of ["issues", "pulls"] as const) {
        const isReadable = (id: number): boolean => atLeast(repositories.get(id)?.right.unit(`repo.${kind}`) ?? "none", "read");
        const places = await firstGivenPlaces(db, actor, kind, 30);
        expect([at, kind, places.map(({ id }) => id)]).toEqual([at, kind, ids.filter(isReadable)]);
        expect(places.map(({ id, fullName }) => [id, fullName])).toEqual(places.map(({ id }) => [id, repositories.get(id)?.fullName]));
        excluded.push(ids.length - places.length);
      }
    }
    expect(Math.max(...excluded)).toBeGreaterThan(0);
    expect(Math.min(...excluded)).toBe(0);
  });

  test("the first repositories are found without reading all of the account and its organizations", async () => {
    await using database = await dialect.create();
    const sent: { readonly text: string; readonly values: readonly unknown[] }[] = [];
    const db = await database.open({ onStatement: (text, values) => void sent.push({ text, values }) });
    const each = 500;
    const owner = await db.tx(async (tx) => {
      const owner = await account(tx, { name: "owner", name_folded: "owner" });
      const org = await account(tx, { name: "org", name_folded: "org", kind: "organization" });
      await team(tx, { orgId: org, name: "all", units: { "repo.code": "read" }, hasAllRepositories: true, members: [owner] });
      for (let at = 0; at < each; at += 1) for (const id of [owner, org]) await add(tx, id, { updated_ms: at });
      return owner;
    });
    if (dialect.name === "postgres") await sql`analyze`.execute(db.sql);
    sent.length = 0;
    expect(await firstGivenIds(db, userOf(owner), 10)).toHaveLength(10);
    expect(sent).toHaveLength(1);
    const [statement] = sent;
    if (statement === undefined) throw new Error("no statement was sent");
    if (dialect.name === "postgres") expect(await rowsRead(db, statement.text, statement.values)).toBeLessThan(each / 2);
    else expect(await searchesOf(db, "p", statement.text)).toEqual(["SEARCH p USING COVERING INDEX repositories_owner (owner_id=? AND updated_ms>?)"]);
  });

  if (dialect.name === "sqlite") {
    test("a page by name reads the names of each owner in the order of an index, and sorts no repository after its rights are checked", async () => {
      await using database = await dialect.create();
      const sent: string[] = [];
      const db = await database.open({ onStatement: (text) => void sent.push(text) });
      const owner = await db.tx(async (tx) => {
        const id = await account(tx, { name: "owner", name_folded: "owner" });
        for (let at = 0; at < 20; at += 1) await add(tx, id, { updated_ms: at });
        return id;
      });
      sent.length = 0;
      const { items, total } = await pageGivenByName(db, userOf(owner), { page: 1, limit: 10, offset: 0 });
      expect([items.length, total, sent.length]).toEqual([10, 20, 1]);
      const [statement = ""] = sent;
      const names = (await searchesOf(db, "p", statement)).slice(0, 2);
      expect(names).toEqual(Array.from({ length: 2 }, () => "SEARCH p USING INDEX repositories_name (owner_id=?)"));
      const { rows } = await db.sql.executeQuery<{ parent: number; detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
      const steps = rows.filter(({ parent }) => parent === 0).map(({ detail }) => detail);
      expect(steps.slice(0, 3)).toEqual(["CO-ROUTINE c", "SCAN c", "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)"]);
      expect(steps.filter((step) => step.includes("ORDER BY"))).toEqual([]);
    });
  }
});
