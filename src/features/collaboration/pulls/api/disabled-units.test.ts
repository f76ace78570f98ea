import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";

const full = "/repos/alice/full";
const empty = "/repos/alice/empty";

interface World extends AsyncDisposable {
  readonly forge: TestForge;
  readonly alice: TestUser;
  readonly bob: TestUser;
}

eachDialect((dialect) => {
  /** A repository with a pinned issue and one without commits, both with issues disabled. */
  async function world(): Promise<World> {
    const forge = await startForge({ dialect });
    const [alice, bob] = await Promise.all([forge.createUser("alice"), forge.createUser("bob")]);
    await alice.post("/user/repos", { name: "full", auto_init: true }).expect(201);
    await alice.post("/user/repos", { name: "empty" }).expect(201);
    await alice.post(`${full}/issues`, { title: "pinned" }).expect(201);
    await alice.post(`${full}/issues/1/pin`, {}).expect(204);
    for (const path of [full, empty]) await alice.patch(path, { has_issues: false }).expect(200);
    return { forge, alice, bob, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() };
  }

  test("a list of issues or pull requests whose unit is disabled returns 404", async () => {
    await using w = await world();
    expect(await w.bob.get(`${full}/issues`).expect(200)).toEqual([]);
    expect(await w.bob.get(`${full}/issues?type=pulls`).expect(200)).toEqual([]);
    await w.bob.get(`${full}/issues?type=issues`).expect(404);
    expect(await w.bob.get(`${full}/issues/comments`).expect(200)).toEqual([]);
    expect(await w.bob.get(`${full}/pulls/pinned`).expect(200)).toEqual([]);
    await w.alice.patch(full, { has_issues: true, has_pull_requests: false }).expect(200);
    await w.bob.get(`${full}/issues?type=pulls`).expect(404);
    await w.bob.get(`${full}/pulls/pinned`).expect(404);
    expect((await w.bob.get(`${full}/issues`).expect(200)).length).toBe(1);
  });

  test("pull requests of an empty repository count as disabled", async () => {
    await using w = await world();
    for (const path of ["issues", "issues/comments", "issues/pinned", "pulls", "pulls/pinned"]) {
      expect([path, (await w.alice.get(`${empty}/${path}`)).status]).toEqual([path, 404]);
    }
  });

  test("pinned issues of a repository with disabled issues are shown to administrators only", async () => {
    await using w = await world();
    expect((await w.alice.get(`${full}/issues/pinned`).expect(200)).map(({ title }: { title: string }) => title)).toEqual(["pinned"]);
    expect((await w.bob.get(`${full}/issues/pinned`).expect(403)).message).toBe("user should have specific read permission or be a repo admin or a site admin");
  });

  test("anonymous callers get 404 for tracked times if issues are disabled, and 401 otherwise", async () => {
    await using w = await world();
    const { anonymous } = w.forge;
    for (const path of ["times", "times/alice"]) {
      await anonymous.get(`${full}/${path}`).expect(404);
      await w.alice.get(`${full}/${path}`).expect(404);
    }
    await w.alice.patch(full, { has_issues: true }).expect(200);
    for (const path of ["times", "times/alice"]) {
      await anonymous.get(`${full}/${path}`).expect(401);
      await w.alice.get(`${full}/${path}`).expect(200);
    }
  });
});
