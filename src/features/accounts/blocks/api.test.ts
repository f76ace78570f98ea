import { expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob", "mallory"], async ({ users: { alice } }) => {
    await alice.post("/user/repos", { name: "open" }).expect(201);
    await alice.post("/orgs", { username: "acme" }).expect(201);
    await alice.post("/orgs/acme/repos", { name: "site" }).expect(201);
  });
  const { alice, bob, mallory } = users;
  const logins = (users: { readonly login: string }[]): string[] => users.map(({ login }) => login);
  const message = async (answer: Promise<{ readonly status: number; readonly json: { readonly message: string } }>) => {
    const { status, json } = await answer;
    return [status, json.message];
  };

  test("blocking a user removes their stars, watches and collaborations with the blocker", async () => {
    await mallory.put("/user/following/alice").expect(204);
    await alice.put("/user/following/mallory").expect(204);
    await mallory.put("/user/starred/alice/open").expect(204);
    await mallory.put("/repos/alice/open/subscription").expect(200);
    await alice.put("/repos/alice/open/collaborators/mallory", { permission: "write" }).expect(204);

    const unblocked = await alice.get("/user/blocks/mallory");
    expect([unblocked.status, unblocked.json.message]).toEqual([404, "not found"]);
    await alice.put("/user/blocks/mallory?note=pest").expect(204);
    await alice.get("/user/blocks/MALLORY").expect(204);
    const blocked = await alice.get("/user/blocks");
    expect([logins(blocked.json), blocked.headers.get("x-total-count"), blocked.headers.get("link")]).toEqual([["mallory"], "1", null]);
    expect(blocked.text).not.toContain("pest");

    expect(await alice.get("/repos/alice/open").expect(200)).toMatchObject({ stars_count: 0, watchers_count: 1 });
    expect(await alice.get("/user").expect(200)).toMatchObject({ followers_count: 0, following_count: 0 });
    expect(await mallory.get("/user").expect(200)).toMatchObject({ followers_count: 0, following_count: 0, starred_repos_count: 0 });
    expect(await alice.get("/repos/alice/open/collaborators").expect(200)).toEqual([]);
    for (const path of ["/user/following/alice", "/user/starred/alice/open", "/repos/alice/open/subscription"]) {
      expect([path, await message(mallory.put(path))]).toEqual([path, [403, "user is blocked"]]);
    }
    expect(await message(alice.put("/user/following/mallory"))).toEqual([403, "user is blocked"]);
    expect(await message(alice.put("/repos/alice/open/collaborators/mallory", { permission: "read" }))).toEqual([403, "user is blocked"]);
    expect(await mallory.get("/user/blocks").expect(200)).toEqual([]);

    await alice.delete("/user/blocks/mallory").expect(204);
    expect(await message(alice.delete("/user/blocks/mallory"))).toEqual([400, "cannot unblock the user"]);
    expect(await message(alice.delete("/orgs/acme/blocks/mallory"))).toEqual([400, "cannot unblock the user"]);
    await alice.get("/user/blocks/mallory").expect(404);
    await mallory.put("/user/following/alice").expect(204);
  });

  test("rejects blocking yourself, an organization or a user twice", async () => {
    expect(await message(alice.put("/user/blocks/alice"))).toEqual([400, "cannot block the user"]);
    expect(await message(alice.put("/user/blocks/acme"))).toEqual([400, "cannot block the user"]);
    await alice.put("/user/blocks/nosuch").expect(404);
    await forge.anonymous.put("/user/blocks/bob").expect(401);
    const answers = await Promise.all(Array.from({ length: 6 }, () => alice.put("/user/blocks/bob")));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400, 400, 400]);
    await alice.delete("/user/blocks/bob").expect(204);
  });

  test("a blocked user who becomes hidden leaves the list and stays blocked", async () => {
    const erin = await forge.createUser("erin");
    await alice.put("/user/blocks/erin").expect(204);
    const hide = (visibility: string) => forge.admin.patch("/admin/users/erin", { login_name: "erin", source_id: 0, visibility }).expect(200);
    await hide("private");
    const listed = await alice.get("/user/blocks");
    expect([listed.json, listed.headers.get("x-total-count")]).toEqual([[], "0"]);
    await alice.get("/user/blocks/erin").expect(404);
    expect(await message(erin.put("/user/following/alice"))).toEqual([403, "user is blocked"]);
    await hide("public");
    expect(logins(await alice.get("/user/blocks").expect(200))).toEqual(["erin"]);
    await alice.delete("/user/blocks/erin").expect(204);
  });

  test("lets an organization's owners block for it", async () => {
    await mallory.put("/user/starred/acme/site").expect(204);
    await alice.put("/orgs/acme/blocks/mallory?note=no").expect(204);
    await alice.get("/orgs/acme/blocks/mallory").expect(204);
    expect(logins(await alice.get("/orgs/acme/blocks").expect(200))).toEqual(["mallory"]);
    expect((await alice.get("/repos/acme/site").expect(200)).stars_count).toBe(0);
    expect(await message(mallory.put("/user/starred/acme/site"))).toEqual([403, "user is blocked"]);
    expect(await message(alice.put("/orgs/acme/blocks/alice"))).toEqual([400, "cannot block the user"]);
    for (const answer of [mallory.get("/orgs/acme/blocks"), mallory.delete("/orgs/acme/blocks/mallory"), bob.put("/orgs/acme/blocks/bob")]) {
      expect(await message(answer)).toEqual([403, "Must be an organization owner"]);
    }
    await forge.anonymous.get("/orgs/acme/blocks").expect(401);
    await alice.delete("/orgs/acme/blocks/mallory").expect(204);
    await mallory.put("/user/starred/acme/site").expect(204);
  });
});
