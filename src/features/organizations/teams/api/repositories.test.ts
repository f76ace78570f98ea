import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiClient } from "../../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let mallory: TestUser;
  let devs: number;
  let readers: number;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    carol = await forge.createUser("carol");
    mallory = await forge.createUser("mallory");
    await alice.post("/orgs", { username: "acme" }).expect(201);
    for (const name of ["secret", "other"]) await alice.post("/orgs/acme/repos", { name, private: true }).expect(201);
    await alice.post("/orgs/acme/repos", { name: "site" }).expect(201);
    await alice.post("/user/repos", { name: "own" }).expect(201);
    devs = (await alice.post("/orgs/acme/teams", { name: "devs", permission: "write", units: ["repo.code"] }).expect(201)).id;
    readers = (await alice.post("/orgs/acme/teams", { name: "readers", permission: "read", units: ["repo.code"] }).expect(201)).id;
    await alice.put(`/teams/${devs}/members/bob`).expect(204);
    await alice.put(`/teams/${readers}/members/carol`).expect(204);
  });
  afterAll(() => forge[Symbol.asyncDispose]());
  const names = async (client: ApiClient, path: string): Promise<string[]> => (await client.get(path).expect(200)).map(({ name }: { name: string }) => name);

  test("a team can read its repositories until they are removed", async () => {
    await bob.get("/repos/acme/secret").expect(404);
    await alice.put(`/teams/${devs}/repos/acme/secret`).expect(204);
    await alice.put(`/teams/${devs}/repos/acme/secret`).expect(204);
    expect((await bob.get("/repos/acme/secret").expect(200)).permissions).toEqual({ admin: false, push: true, pull: true });
    // Its creator and the team's member.
    expect((await bob.get("/repos/acme/secret").expect(200)).watchers_count).toBe(2);
    await carol.get("/repos/acme/secret").expect(404);
    expect(await names(bob, `/teams/${devs}/repos`)).toEqual(["secret"]);
    expect((await bob.get(`/teams/${devs}/repos/acme/secret`).expect(200)).full_name).toBe("acme/secret");
    await alice.get(`/teams/${devs}/repos/acme/site`).expect(404);
    expect((await bob.put(`/teams/${devs}/repos/acme/site`).expect(403)).message).toBe("Must have admin-level access to the repository");
    await bob.delete(`/teams/${devs}/repos/acme/secret`).expect(403);
    expect((await forge.cost(() => bob.get(`/teams/${devs}/repos`).expect(200))).statements.length).toBeLessThanOrEqual(8);
    await alice.delete(`/teams/${devs}/repos/acme/secret`).expect(204);
    await alice.delete(`/teams/${devs}/repos/acme/secret`).expect(204);
    await bob.get("/repos/acme/secret").expect(404);
    expect((await alice.get("/repos/acme/secret").expect(200)).watchers_count).toBe(1);
    expect(await names(bob, `/teams/${devs}/repos`)).toEqual([]);
  });

  test("a team accepts only repositories of its own organization", async () => {
    for (const path of ["acme/none", "alice/none", "alice/own", "nosuch/own"]) {
      for (const call of [() => alice.put(`/teams/${devs}/repos/${path}`), () => alice.get(`/teams/${devs}/repos/${path}`)]) {
        expect([path, (await call()).status]).toEqual([path, 404]);
      }
    }
    expect(await names(alice, `/teams/${devs}/repos`)).toEqual([]);
    await mallory.put(`/teams/${devs}/repos/acme/site`).expect(404);
  });

  describe("teams of a repository", () => {
    test("are added and removed by name", async () => {
      await alice.put("/repos/acme/secret/teams/readers").expect(204);
      expect((await alice.put("/repos/acme/secret/teams/READERS").expect(422)).message).toBe("team 'readers' is already added to repo");
      expect(await names(alice, "/repos/acme/secret/teams")).toEqual(["Owners", "readers"]);
      expect((await alice.get("/repos/acme/secret/teams/readers").expect(200)).id).toBe(readers);
      await alice.get("/repos/acme/secret/teams/devs").expect(404);
      expect((await alice.put("/repos/acme/secret/teams/none").expect(404)).message).toMatch(/^team does not exist \[org_id \d+, team_id 0, name: none\]$/);
      await alice.put("/repos/acme/secret/teams/Owners").expect(422);
      await alice.delete("/repos/acme/secret/teams/readers").expect(204);
      expect((await alice.delete("/repos/acme/secret/teams/readers").expect(422)).message).toBe("team 'readers' was not added to repo");
      await alice.delete("/repos/acme/secret/teams/Owners").expect(422);
      for (const call of [alice.get("/repos/alice/own/teams"), alice.put("/repos/alice/own/teams/x"), alice.delete("/repos/alice/own/teams/x")]) {
        expect((await call).status).toBe(405);
      }
    });

    test("are visible only to the organization's members", async () => {
      expect(await names(bob, "/repos/acme/site/teams")).toEqual(["Owners"]);
      expect(await names(mallory, "/repos/acme/site/teams")).toEqual([]);
      await mallory.get("/repos/acme/site/teams/Owners").expect(404);
      await mallory.get("/repos/acme/secret/teams").expect(404);
      await forge.anonymous.get("/repos/acme/site/teams").expect(401);
    });

    test("are changed by repository administrators if the organization allows it, through either endpoint", async () => {
      await alice.put("/repos/acme/other/collaborators/bob", { permission: "admin" }).expect(204);
      expect((await bob.put("/repos/acme/other/teams/devs").expect(403)).message).toBe("user is nor repo admin nor owner");
      await bob.put(`/teams/${devs}/repos/acme/other`).expect(403);
      await alice.patch("/orgs/acme", { repo_admin_change_team_access: true }).expect(200);
      await bob.put("/repos/acme/other/teams/devs").expect(204);
      await bob.delete(`/teams/${devs}/repos/acme/other`).expect(204);
      await bob.put(`/teams/${readers}/repos/acme/other`).expect(403);
    });
  });

  describe("a user who can no longer read a repository loses watch and star", () => {
    const audience = async (accountId: number) => {
      const { db } = forge.context;
      const watches = await db.sql.selectFrom("watches").select("repo_id").where("account_id", "=", accountId).execute();
      const stars = await db.sql.selectFrom("stars").select("repo_id").where("account_id", "=", accountId).execute();
      const account = await db.sql.selectFrom("accounts").select("stars_count").where("id", "=", accountId).executeTakeFirstOrThrow();
      return { watches: watches.length, stars: stars.length, counted: account.stars_count };
    };
    const follow = async (accountId: number, repoIds: readonly number[]) =>
      forge.context.db.tx(async (tx) => {
        for (const table of ["watches", "stars"] as const) await tx.sql.deleteFrom(table).where("account_id", "=", accountId).execute();
        for (const repo_id of repoIds) {
          await tx.sql.insertInto("watches").values({ repo_id, account_id: accountId, created_ms: 1 }).execute();
          await tx.sql.insertInto("stars").values({ repo_id, account_id: accountId, created_ms: 1 }).execute();
        }
        await tx.sql.updateTable("accounts").set({ stars_count: repoIds.length }).where("id", "=", accountId).execute();
      });

    test.each([
      ["leaving the team", () => alice.delete(`/teams/${readers}/members/carol`)],
      ["leaving the organization", () => alice.delete("/orgs/acme/members/carol")],
      ["the team's loss of the repository", () => alice.delete(`/teams/${readers}/repos/acme/secret`)],
      ["the repository's loss of the team", () => alice.delete("/repos/acme/secret/teams/readers")],
      ["the team's loss of its rights", () => alice.patch(`/teams/${readers}`, { units_map: { "repo.code": "none" } })],
      ["the team's end", () => alice.delete(`/teams/${readers}`)],
    ])("after %s", async (_name, lose) => {
      const ids = await Promise.all(["secret", "site"].map(async (name) => (await alice.get(`/repos/acme/${name}`).expect(200)).id));
      await alice.patch(`/teams/${readers}`, { units_map: { "repo.code": "read" } }).expect(200);
      await alice.put(`/teams/${readers}/members/carol`).expect(204);
      await alice.put(`/teams/${readers}/repos/acme/secret`).expect(204);
      await follow(carol.id, ids);
      await follow(alice.id, ids);
      await carol.get("/repos/acme/secret").expect(200);
      expect((await lose()).status).toBeLessThan(300);
      await carol.get("/repos/acme/secret").expect(404);
      // The public repository keeps them.
      expect(await audience(carol.id)).toEqual({ watches: 1, stars: 1, counted: 1 });
      expect(await audience(alice.id)).toEqual({ watches: 2, stars: 2, counted: 2 });
      expect(await alice.get("/repos/acme/secret").expect(200)).toMatchObject({ stars_count: 1, watchers_count: 1 });
    });
  });
});
