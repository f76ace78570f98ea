import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { team } from "../../../../../test/kit/rows.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  describe("administrators create things for others", () => {
    test("creates repositories and organizations", async () => {
      const repository = await forge.admin.post("/admin/users/alice/repos", { name: "given", private: true, auto_init: true, license: "MIT" }).expect(201);
      expect(repository).toMatchObject({ full_name: "alice/given", private: true, watchers_count: 1, permissions: { admin: true }, licenses: ["MIT"] });
      await alice.get("/repos/alice/given").expect(200);
      expect(await forge.admin.post("/admin/users/alice/repos", { name: "GIVEN" }).expect(409)).toMatchObject({
        message: "The repository with the same name already exists.",
      });
      await forge.admin.post("/admin/users/alice/orgs", { username: "gift", visibility: "private" }).expect(201);
      await alice.patch("/orgs/gift", { full_name: "Mine" }).expect(200);
      expect(await forge.admin.post("/admin/users/alice/orgs", { username: "gift" }).expect(422)).toMatchObject({
        message: "user already exists [name: gift]",
      });
      await forge.admin.post("/admin/users/gift/orgs", { username: "nested" }).expect(422);
    });

    test.each(["/admin/users/alice/repos", "/admin/users/alice/orgs"])("%s requires an administrator", async (path) => {
      await alice.post(path, { name: "own", username: "own" }).expect(403);
      await forge.anonymous.post(path, { name: "own", username: "own" }).expect(401);
      expect(await forge.admin.post(path.replace("alice", "nosuch"), { name: "x", username: "x" }).expect(404)).toMatchObject({
        message: "user redirect does not exist [name: nosuch]",
      });
    });
  });

  describe("deleting a user", () => {
    test("is rejected while the user owns or belongs to something, and for oneself", async () => {
      const bob = await forge.createUser("bob");
      const carol = await forge.createUser("carol");
      const { id } = await bob.post("/user/repos", { name: "r", auto_init: true }).expect(201);
      expect(await forge.admin.delete("/admin/users/bob").expect(422)).toMatchObject({ message: `user still has ownership of repositories [uid: ${bob.id}]` });
      const org = await carol.post("/orgs", { username: "club" }).expect(201);
      expect(await forge.admin.delete("/admin/users/carol").expect(422)).toMatchObject({
        message: `user still has membership of organizations [uid: ${carol.id}]`,
      });
      expect(await forge.admin.delete("/admin/users/chief?purge=true").expect(422)).toMatchObject({ message: "you cannot delete yourself" });
      await forge.admin.delete("/admin/users/club?purge=true").expect(422);
      await carol.get("/orgs/club").expect(200);
      await forge.admin.delete("/admin/users/nosuch").expect(404);
      await alice.delete("/admin/users/bob").expect(403);
      // A deleted repository does not prevent the deletion.
      await bob.delete("/repos/bob/r").expect(204);
      await forge.admin.delete("/admin/users/bob").expect(204);
      await forge.admin.get("/users/bob").expect(404);
      await bob.get("/user").expect(401);
      await forge.admin.get(`/repositories/${id}`).expect(404);
      expect(org.id).toBeGreaterThan(0);
    });

    test("purges everything the user owns and nothing of others", async () => {
      const dave = await forge.createUser("dave");
      const eve = await forge.createUser("eve");
      await dave.post("/user/repos", { name: "own", auto_init: true }).expect(201);
      await dave.put("/repos/dave/own/topics", { topics: ["daves"] }).expect(204);
      const lonely = await dave.post("/orgs", { username: "lonely" }).expect(201);
      await dave.post("/orgs/lonely/repos", { name: "site" }).expect(201);
      const shared = await dave.post("/orgs", { username: "shared" }).expect(201);
      const kept = await dave.post("/orgs/shared/repos", { name: "kept" }).expect(201);
      const elsewhere = await eve.post("/user/repos", { name: "eves" }).expect(201);
      await eve.put("/repos/eve/eves/collaborators/dave", { permission: "write" }).expect(204);
      const { db } = forge.context;
      await db.tx(async (tx) => {
        const owners = await tx.sql.selectFrom("teams").select("id").where("org_id", "=", shared.id).where("mode", "=", "owner").executeTakeFirstOrThrow();
        await tx.sql.insertInto("team_members").values({ team_id: owners.id, account_id: eve.id, org_id: shared.id }).execute();
        await tx.sql.insertInto("organization_members").values({ org_id: shared.id, account_id: eve.id, is_public: 0 }).execute();
        await team(tx, { orgId: lonely.id, name: "guests", units: { "repo.code": "read" }, members: [eve.id] });
        for (const repo_id of [elsewhere.id, kept.id]) {
          await tx.sql
            .insertInto("watches")
            .values({ repo_id, account_id: dave.id, created_ms: 1 })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          await tx.sql.insertInto("stars").values({ repo_id, account_id: dave.id, created_ms: 1 }).execute();
        }
        await tx.sql.updateTable("repositories").set({ stars_count: 1, watchers_count: 2 }).where("id", "=", elsewhere.id).execute();
      });
      await forge.admin.delete("/admin/users/dave?purge=true").expect(204);
      for (const path of ["/users/dave", "/repos/dave/own", "/orgs/lonely", "/repos/lonely/site"]) await forge.admin.get(path).expect(404);
      expect(await forge.admin.get("/topics/search?q=daves").expect(200)).toEqual({ topics: [] });
      expect(await eve.get("/repos/shared/kept").expect(200)).toMatchObject({ permissions: { admin: true }, stars_count: 0, watchers_count: 0 });
      expect(await eve.get("/repos/eve/eves").expect(200)).toMatchObject({ stars_count: 0, watchers_count: 1 });
      expect(await eve.get("/repos/eve/eves/collaborators").expect(200)).toEqual([]);
      const mentions = await Promise.all(
        (["access_tokens", "account_emails", "collaborators", "watches", "stars", "team_members", "organization_members"] as const).map((table) =>
          db.sql.selectFrom(table).select("account_id").where("account_id", "=", dave.id).execute(),
        ),
      );
      expect(mentions.flat()).toEqual([]);
      await forge.createUser("dave");
    });

    test("keeps the last administrator", async () => {
      await forge.admin.patch("/admin/users/alice", { login_name: "alice", source_id: 0, admin: true }).expect(200);
      await alice.delete("/admin/users/chief").expect(204);
      expect(await alice.delete("/admin/users/alice").expect(422)).toMatchObject({ message: "you cannot delete yourself" });
      await alice.get("/admin/orgs").expect(200);
    });
  });
});
