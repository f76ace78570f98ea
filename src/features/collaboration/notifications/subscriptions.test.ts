import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";

eachDialect((dialect) => {
  test("users see the issues that they are subscribed to and can read, by state and kind, and unsubscribe, for a constant number of statements", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const browser = createBrowser(forge.url);
    await browser.signIn(bob);
    const path = "/notifications/subscriptions";
    const ids: Record<string, number> = {};
    for (const name of ["one", "two"]) ids[name] = (await alice.post("/user/repos", { name, auto_init: true }).expect(201)).id;
    expect(readPage((await browser.get(path)).text).text).toContain("No subscriptions to open issues or pull requests");
    const create = async (caller: typeof alice, name: string, title: string): Promise<number> =>
      (await caller.post(`/repos/alice/${name}/issues`, { title }).expect(201)).number;
    const listed = async (query = ""): Promise<readonly string[]> =>
      readPage((await browser.get(`${path}${query}`)).text).links.filter((link) => /^\/alice\/\w+\/(issues|pulls)\/\d+$/.test(link));

    await create(bob, "one", "opened");
    const few = await forge.cost(() => browser.get(path));
    await create(alice, "one", "commented");
    await create(alice, "one", "subscribed");
    await create(alice, "one", "only watched");
    await create(alice, "one", "declined");
    await create(bob, "two", "in a repository that becomes private");
    await alice.put("/repos/alice/one/collaborators/bob", { permission: "write" }).expect(204);
    await alice.post("/repos/alice/one/issues", { title: "assigned", assignees: ["bob"] }).expect(201);
    await bob.put("/repos/alice/one/subscription").expect(200);
    await bob.post("/repos/alice/one/issues/2/comments", { body: "hello" }).expect(201);
    await bob.post("/repos/alice/one/issues/5/comments", { body: "hello" }).expect(201);
    await bob.put("/repos/alice/one/issues/3/subscriptions/bob").expect(200);
    await bob.delete("/repos/alice/one/issues/5/subscriptions/bob").expect(201);
    expect((await forge.cost(() => browser.get(path))).statements.length).toBeLessThanOrEqual(few.statements.length + 1);
    const issues = (name: string, ...numbers: readonly number[]) => numbers.map((number) => `/alice/${name}/issues/${number}`);
    expect([...(await listed())].sort()).toEqual([...issues("one", 1, 2, 6), ...issues("two", 1)].sort());

    await bob.delete("/repos/alice/one/subscription").expect(204);
    await bob.put("/repos/alice/one/issues/3/subscriptions/bob").expect(201);
    await alice.post("/repos/alice/one/contents/a.txt", { content: "YQ==", new_branch: "side" }).expect(201);
    await bob.post("/repos/alice/one/pulls", { title: "a pull request", head: "side", base: "main" }).expect(201);
    await alice.patch("/repos/alice/one/issues/1", { state: "closed" }).expect(201);
    await alice.patch("/repos/alice/two", { private: true }).expect(200);
    expect(await listed()).toEqual(["/alice/one/pulls/7", ...issues("one", 6, 3, 2)]);
    expect(await listed("?issueType=pulls")).toEqual(["/alice/one/pulls/7"]);
    expect(await listed("?issueType=issues&state=closed")).toEqual(issues("one", 1));
    expect(await listed("?state=all&limit=2")).toEqual(["/alice/one/pulls/7", ...issues("one", 6)]);
    expect(await listed("?state=all&limit=2&page=2")).toEqual(issues("one", 3, 2));
    expect(readPage((await browser.get("/notifications")).text).links).toContain(path);

    const submitted = await browser.submit(await browser.get(`${path}?issueType=issues`), `${path}?issueType=issues`, {
      repository: `${ids.one}`,
      number: "2",
    });
    expect([submitted.status, submitted.location]).toEqual([303, `${path}?issueType=issues&saved=true`]);
    expect(await listed()).toEqual(["/alice/one/pulls/7", ...issues("one", 6, 3)]);
    const foreign = await browser.submit(await browser.get(path), path, { repository: `${ids.two}`, number: "1" });
    expect(foreign.status).toBe(404);
    expect((await createBrowser(forge.url).get(path)).location).toMatch(/^\/user\/login/);
  });
});
