import { expect, test } from "vitest";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import type { TestUser } from "../../../../../test/kit/forge.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob", "mallory"]);
  const { alice, bob, mallory } = users;
  const logins = (users: { readonly login: string }[]): string[] => users.map(({ login }) => login);
  const counts = async (name: string) => {
    const user = await forge.anonymous.get(`/users/${name}`).expect(200);
    return [user.followers_count, user.following_count];
  };

  test("counts a follow once, lists it and ends it, also under concurrent and repeated requests", async () => {
    await Promise.all(Array.from({ length: 8 }, () => bob.put("/user/following/alice").expect(204)));
    expect([await counts("alice"), await counts("bob")]).toEqual([
      [1, 0],
      [0, 1],
    ]);
    await bob.get("/user/following/ALICE").expect(204);
    await bob.get("/user/following/mallory").expect(404);
    await mallory.get("/users/bob/following/alice").expect(204);
    await mallory.get("/users/alice/following/bob").expect(404);
    await mallory.get("/users/bob/following/nosuch").expect(404);
    const followers = await alice.get("/user/followers");
    expect([logins(followers.json), followers.headers.get("x-total-count")]).toEqual([["bob"], "1"]);
    expect(differences(followers.json, "[]User")).toEqual([]);
    expect(logins(await bob.get("/user/following").expect(200))).toEqual(["alice"]);
    expect(logins(await mallory.get("/users/alice/followers").expect(200))).toEqual(["bob"]);
    expect(logins(await mallory.get("/users/bob/following").expect(200))).toEqual(["alice"]);
    await Promise.all(Array.from({ length: 8 }, () => bob.delete("/user/following/alice").expect(204)));
    expect([await counts("alice"), await counts("bob")]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test("rejects following yourself or a missing user", async () => {
    await bob.put("/user/following/bob").expect(204);
    expect(await counts("bob")).toEqual([0, 0]);
    await bob.put("/user/following/nosuch").expect(404);
    await forge.anonymous.put("/user/following/alice").expect(401);
    await forge.anonymous.get("/user/followers").expect(401);
  });

  test("a hidden user cannot be followed and is not listed as a follower", async () => {
    const wraith = await forge.createUser("wraith", { visibility: "private" });
    await wraith.put("/user/following/alice").expect(204);
    await bob.put("/user/following/alice").expect(204);
    const missing = await bob.put("/user/following/nosuch");
    const hidden = await bob.put("/user/following/wraith");
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    const seen = async (who: { get: TestUser["get"] }) => {
      const answer = await who.get("/users/alice/followers");
      // Both may have begun in the same millisecond.
      return [logins(answer.json).toSorted(), answer.headers.get("x-total-count")];
    };
    expect(await seen(bob)).toEqual([["bob"], "1"]);
    expect(await seen(mallory)).toEqual([["bob"], "1"]);
    expect(await seen(forge.admin)).toEqual([["bob", "wraith"], "2"]);
    await bob.delete("/user/following/alice").expect(204);
    await wraith.delete("/user/following/alice").expect(204);
  });

  test("a deleted user is no longer counted", async () => {
    const erin = await forge.createUser("erin");
    await erin.put("/user/following/alice").expect(204);
    await mallory.put("/user/following/erin").expect(204);
    await forge.admin.delete("/admin/users/erin").expect(204);
    expect([await counts("alice"), await counts("mallory")]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test("lists cost a constant number of statements", async () => {
    for (const follower of [bob, mallory, forge.admin]) await follower.put("/user/following/alice").expect(204);
    const costOf = async (limit: number) => (await forge.cost(() => alice.get(`/user/followers?limit=${limit}`).expect(200))).statements.length;
    expect(await costOf(3)).toBe(await costOf(1));
    expect(await costOf(3)).toBeLessThanOrEqual(5);
    expect((await forge.cost(() => bob.get("/user/following/alice").expect(204))).statements.length).toBeLessThanOrEqual(3);
  });
});
