import { describe, expect, test } from "vitest";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import type { TestUser } from "../../../../../test/kit/forge.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob", "mallory"], async ({ users: { alice } }) => {
    for (const name of ["open", "other", "third"]) await alice.post("/user/repos", { name }).expect(201);
    await alice.post("/user/repos", { name: "hidden", private: true }).expect(201);
  });
  const { alice, bob, mallory } = users;
  const names = (repositories: { readonly name: string }[]): string[] => repositories.map(({ name }) => name).sort();
  const logins = (users: { readonly login: string }[]): string[] => users.map(({ login }) => login);

  test("a star is added, counted once, listed and removed", async () => {
    await bob.get("/user/starred/alice/open").expect(404);
    await Promise.all(Array.from({ length: 8 }, () => bob.put("/user/starred/alice/open").expect(204)));
    await bob.get("/user/starred/ALICE/Open").expect(204);
    expect((await forge.anonymous.get("/repos/alice/open").expect(200)).stars_count).toBe(1);
    expect((await bob.get("/user").expect(200)).starred_repos_count).toBe(1);
    const starred = await mallory.get("/users/bob/starred");
    expect([names(starred.json), starred.headers.get("x-total-count")]).toEqual([["open"], "1"]);
    expect(differences(starred.json, "[]Repository")).toEqual([]);
    const gazers = await forge.anonymous.get("/repos/alice/open/stargazers");
    expect([logins(gazers.json), gazers.headers.get("x-total-count"), gazers.headers.get("link")]).toEqual([["bob"], "1", null]);
    expect(gazers.json[0].email).not.toBe(bob.email);
    await Promise.all(Array.from({ length: 8 }, () => bob.delete("/user/starred/alice/open").expect(204)));
    await bob.get("/user/starred/alice/open").expect(404);
    expect((await forge.anonymous.get("/repos/alice/open").expect(200)).stars_count).toBe(0);
    expect((await bob.get("/user").expect(200)).starred_repos_count).toBe(0);
  });

  test("a watch is added, counted once, listed and removed", async () => {
    const path = "/repos/alice/open/subscription";
    await bob.get(path).expect(404);
    const put = await bob.put(path).expect(200);
    expect(differences(put, "WatchInfo")).toEqual([]);
    const address = `${forge.url}/api/v1/repos/alice/open`;
    expect(put).toMatchObject({ subscribed: true, ignored: false, reason: null, url: `${address}/subscription`, repository_url: address });
    expect(await bob.put(path).expect(200)).toEqual(put);
    expect(await bob.get(path).expect(200)).toEqual(put);
    expect((await bob.get("/repos/alice/open").expect(200)).watchers_count).toBe(2);
    expect(names(await bob.get("/user/subscriptions").expect(200))).toEqual(["open"]);
    expect(names(await mallory.get("/users/bob/subscriptions").expect(200))).toEqual(["open"]);
    const watchers = await forge.anonymous.get("/repos/alice/open/subscribers");
    expect([logins(watchers.json), watchers.headers.get("x-total-count")]).toEqual([["alice", "bob"], "2"]);
    await bob.delete(path).expect(204);
    await bob.delete(path).expect(204);
    expect((await bob.get("/repos/alice/open").expect(200)).watchers_count).toBe(1);
  });

  test("a repository that the caller cannot read cannot be starred or watched, and looks like a missing one", async () => {
    for (const path of ["/user/starred/alice/%", "/repos/alice/%/subscription"]) {
      for (const name of ["hidden", "nosuch"]) {
        for (const method of ["get", "put", "delete"] as const) {
          const answer = await bob[method](path.replace("%", name));
          expect([method, name, answer.status, answer.json.message]).toEqual([method, name, 404, "not found"]);
        }
      }
    }
    await forge.anonymous.put("/user/starred/alice/open").expect(401);
    await forge.anonymous.put("/repos/alice/open/subscription").expect(401);
    await forge.anonymous.get("/user/starred").expect(401);
    await forge.anonymous.get("/users/nosuch/starred").expect(401);
  });

  test("a repository that a user can no longer read disappears from their lists and counts", async () => {
    const erin = await forge.createUser("erin");
    await alice.put("/repos/alice/hidden/collaborators/erin", { permission: "read" }).expect(204);
    await erin.put("/user/starred/alice/hidden").expect(204);
    await erin.put("/user/starred/alice/third").expect(204);
    await erin.put("/repos/alice/hidden/subscription").expect(200);
    const seen = async (who: TestUser, path: string) => {
      const answer = await who.get(path);
      return [names(answer.json), answer.headers.get("x-total-count")];
    };
    expect(await seen(erin, "/user/starred")).toEqual([["hidden", "third"], "2"]);
    expect(await seen(alice, "/users/erin/starred")).toEqual([["hidden", "third"], "2"]);
    for (const outsider of [bob, mallory]) {
      expect(await seen(outsider, "/users/erin/starred")).toEqual([["third"], "1"]);
      expect(await seen(outsider, "/users/erin/subscriptions")).toEqual([[], "0"]);
    }
    await alice.delete("/repos/alice/hidden/collaborators/erin").expect(204);
    expect(await seen(erin, "/user/starred")).toEqual([["third"], "1"]);
    expect(await seen(erin, "/user/subscriptions")).toEqual([[], "0"]);

    await alice.patch("/repos/alice/third", { private: true }).expect(200);
    expect(await seen(erin, "/user/starred")).toEqual([[], "0"]);
    await alice.patch("/repos/alice/third", { private: false }).expect(200);
    expect(await seen(erin, "/user/starred")).toEqual([[], "0"]);
  });

  test("hidden users are listed neither as stargazers nor as watchers", async () => {
    const ghost = await forge.createUser("wraith", { visibility: "private" });
    await ghost.put("/user/starred/alice/other").expect(204);
    await ghost.put("/repos/alice/other/subscription").expect(200);
    const seen = async (who: { get: TestUser["get"] }) => {
      const answer = await who.get("/repos/alice/other/stargazers");
      return [logins(answer.json), answer.headers.get("x-total-count"), logins(await who.get("/repos/alice/other/subscribers").expect(200))];
    };
    expect(await seen(bob)).toEqual([[], "0", ["alice"]]);
    expect(await seen(forge.anonymous)).toEqual([[], "0", ["alice"]]);
    expect(await seen(ghost)).toEqual([["wraith"], "1", ["alice", "wraith"]]);
    expect(await seen(forge.admin)).toEqual([["wraith"], "1", ["alice", "wraith"]]);
  });

  describe("lists", () => {
    test("are paged, latest first, with a constant number of statements", async () => {
      for (const name of ["open", "other", "third"]) await mallory.put(`/user/starred/alice/${name}`).expect(204);
      const pageOf = async (limit: number) => forge.cost(() => mallory.get(`/user/starred?limit=${limit}`));
      const [one, all] = [await pageOf(1), await pageOf(3)];
      expect(one.result.headers.get("link")).toContain('page=2>; rel="next"');
      expect(all.result.json).toHaveLength(3);
      // A full page also queries the total.
      expect(all.statements.length).toBe(one.statements.length);
      expect(all.statements.length).toBeLessThanOrEqual(8);
      expect((await forge.cost(() => mallory.put("/user/starred/alice/open").expect(204))).statements.length).toBeLessThanOrEqual(6);
      expect((await forge.cost(() => mallory.get("/user/starred/alice/open").expect(204))).statements.length).toBeLessThanOrEqual(5);
    });
  });
});
