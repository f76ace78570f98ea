import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";

eachDialect((dialect) => {
  test("users see the repositories that they watch and can read, and unwatch them, for a constant number of statements", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const browser = createBrowser(forge.url);
    await browser.signIn(bob);
    const path = "/notifications/watching";
    expect(readPage((await browser.get(path)).text).text).toContain("You are not watching any repositories.");
    const ids: Record<string, number> = {};
    const add = async (name: string): Promise<void> => {
      ids[name] = (await alice.post("/user/repos", { name }).expect(201)).id;
      await bob.put(`/repos/alice/${name}/subscription`).expect(200);
    };
    const listed = async (): Promise<readonly string[]> => readPage((await browser.get(path)).text).links.filter((link) => link.startsWith("/alice/"));
    await add("one");
    const few = await forge.cost(() => browser.get(path));
    await add("two");
    await add("hidden");
    expect(readPage((await browser.get("/notifications")).text).links).toContain(path);
    expect((await forge.cost(() => browser.get(path))).statements.length).toBe(few.statements.length);
    await alice.patch("/repos/alice/hidden", { private: true }).expect(200);
    expect([...(await listed())].sort()).toEqual(["/alice/one", "/alice/two"]);
    expect((await browser.submit(await browser.get(path), path, { repository: `${ids.one}` })).status).toBe(303);
    expect(await listed()).toEqual(["/alice/two"]);
    await bob.get("/repos/alice/one/subscription").expect(404);
    expect((await browser.submit(await browser.get(path), path, { repository: `${ids.hidden}` })).status).toBe(404);
    expect((await createBrowser(forge.url).get(path)).location).toMatch(/^\/user\/login/);
  });
});
