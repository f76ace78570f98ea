import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import type { TestUser } from "../../../../../test/kit/forge.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;

  const make = (name: string, options = {}) => alice.post("/user/repos", { name, auto_init: true, ...options }).expect(201);
  const restore = (id: number, body = {}) => forge.admin.post(`/admin/repos/deleted/${id}/restore`, body);
  const starred = async () => (await bob.get("/users/bob").expect(200)).starred_repos_count;

  test("a deleted repository can be restored with all its contents", async () => {
    const { id } = await make("lost");
    await alice.put("/repos/alice/lost/topics", { topics: ["findable"] }).expect(204);
    await bob.put("/user/starred/alice/lost").expect(204);
    await bob.post("/repos/alice/lost/forks", {}).expect(202);
    await alice.post("/repos/alice/lost/issues", { title: "kept" }).expect(201);
    await alice.patch("/repos/alice/lost", { name: "found" }).expect(200);
    const before = await alice.get("/repos/alice/found").expect(200);
    await alice.delete("/repos/alice/found").expect(204);
    expect(await starred()).toBe(0);
    expect(await bob.get("/repos/bob/lost").expect(200)).toMatchObject({ fork: false });
    expect((await bob.get("/repos/search?mode=fork").expect(200)).data).toEqual([]);

    const { result, statements } = await forge.cost(() => forge.admin.get("/admin/repos/deleted").expect(200));
    expect(statements.length).toBeLessThanOrEqual(3);
    expect(result).toMatchObject([{ id, owner: "alice", name: "found", full_name: "alice/found", private: false }]);
    expect(Date.parse(result[0].kept_until) - Date.parse(result[0].deleted_at)).toBe(7 * 86_400_000);

    expect(await restore(id).expect(200)).toMatchObject({ full_name: "alice/found" });
    const { updated_at: _before, ...was } = before;
    const { updated_at: _after, ...is } = await alice.get("/repos/alice/found").expect(200);
    expect(is).toEqual(was);
    expect(await starred()).toBe(1);
    expect(await bob.get("/repos/bob/lost").expect(200)).toMatchObject({ fork: true, parent: { full_name: "alice/found", forks_count: 1 } });
    expect((await alice.get("/topics/search?q=findable").expect(200)).topics).toMatchObject([{ repo_count: 1 }]);
    await alice.get("/repos/alice/found/contents/README.md").expect(200);
    expect((await alice.get("/repos/alice/lost")).status).toBe(301);
    expect(await alice.get("/repos/alice/found/issues/1").expect(200)).toMatchObject({ title: "kept" });
    await restore(id).expect(404);
    expect(JSON.stringify(await forge.admin.get("/admin/audit?action=repo.restored").expect(200))).toContain("alice/found");
  });

  test("a repository is restored under another name if its own is in use", async () => {
    const { id } = await make("taken");
    await alice.delete("/repos/alice/taken").expect(204);
    await make("taken");
    expect(await restore(id).expect(409)).toMatchObject({ message: "The repository with the same name already exists." });
    await restore(id, { name: "x.git" }).expect(422);
    expect(await restore(id, { name: "taken-before" }).expect(200)).toMatchObject({ full_name: "alice/taken-before" });
  });

  test("a purged repository cannot be restored", async () => {
    const { id } = await make("final");
    await alice.delete("/repos/alice/final").expect(204);
    await forge.admin.delete(`/admin/repos/deleted/${id}`).expect(204);
    await restore(id).expect(404);
    await forge.admin.delete(`/admin/repos/deleted/${id}`).expect(404);
  });

  describe("restoring by owners", () => {
    const restoreOwn = (user: TestUser, id: number, body = {}) => user.post(`/user/repos/deleted/${id}/restore`, body);
    const namesOf = async (user: TestUser) => (await user.get<{ full_name: string }[]>("/user/repos/deleted").expect(200)).map(({ full_name }) => full_name);

    test("users restore their own repositories, under another name if the old one is in use", async () => {
      const { id } = await make("regretted");
      await alice.delete("/repos/alice/regretted").expect(204);
      const { result, statements } = await forge.cost(() => namesOf(alice));
      expect([result[0], statements.length]).toEqual(["alice/regretted", 2]);
      expect(await namesOf(bob)).toEqual([]);
      await restoreOwn(bob, id).expect(404);
      await forge.anonymous.post(`/user/repos/deleted/${id}/restore`, {}).expect(401);
      await make("regretted");
      await restoreOwn(alice, id).expect(409);
      expect(await restoreOwn(alice, id, { name: "regretted-first" }).expect(200)).toMatchObject({ full_name: "alice/regretted-first" });
      await restoreOwn(alice, id).expect(404);
    });

    test("any owner of an organization restores its repositories, and other users cannot", async () => {
      await alice.post("/orgs", { username: "club" }).expect(201);
      const carol = await forge.createUser("carol");
      const [owners] = await alice.get<{ id: number }[]>("/orgs/club/teams").expect(200);
      await alice.put(`/teams/${owners?.id}/members/carol`).expect(204);
      const { id } = await alice.post<{ id: number }>("/orgs/club/repos", { name: "shared" }).expect(201);
      await alice.put("/repos/club/shared/collaborators/bob", { permission: "admin" }).expect(204);
      await alice.delete("/repos/club/shared").expect(204);
      await restoreOwn(bob, id).expect(404);
      expect(await namesOf(carol)).toEqual(["club/shared"]);
      await restoreOwn(carol, id).expect(200);
      await alice.delete(`/teams/${owners?.id}/members/carol`).expect(204);
      await alice.delete("/repos/club/shared").expect(204);
      await restoreOwn(carol, id).expect(404);
      await restoreOwn(alice, id).expect(200);
    });

    test("owners cannot restore a repository that an administrator deleted", async () => {
      const { id } = await make("abusive");
      await forge.admin.delete("/repos/alice/abusive").expect(204);
      expect(await namesOf(alice)).not.toContain("alice/abusive");
      await restoreOwn(alice, id).expect(404);
      await restore(id).expect(200);
    });
  });

  describe("restoring by administrators", () => {
    test("only applies to deleted repositories", async () => {
      const { id } = await make("present");
      await restore(id).expect(404);
      await forge.admin.delete(`/admin/repos/deleted/${id}`).expect(404);
      await alice.get("/repos/alice/present").expect(200);
      for (const [method, path] of [
        ["get", "/admin/repos/deleted"],
        ["post", `/admin/repos/deleted/${id}/restore`],
        ["delete", `/admin/repos/deleted/${id}`],
      ] as const) {
        expect((await alice[method](path)).status).toBe(403);
        expect((await forge.anonymous[method](path)).status).toBe(401);
      }
    });

    test("does not restore stars and watches of users who have lost access", async () => {
      const { id } = await make("closed", { private: true });
      await alice.put("/repos/alice/closed/collaborators/bob", { permission: "read" }).expect(204);
      await bob.put("/user/starred/alice/closed").expect(204);
      const before = await starred();
      await alice.delete("/repos/alice/closed").expect(204);
      await alice.put("/user/blocks/bob").expect(204);
      await restore(id).expect(200);
      expect(await starred()).toBeLessThan(before);
      await bob.get("/repos/alice/closed").expect(404);
      await alice.delete("/user/blocks/bob").expect(204);
    });
  });
});
