import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;

  test("the dashboard of an organization shows its own repositories, issues and activity to members", async () => {
    await alice.post("/orgs", { username: "garden" }).expect(201);
    const visit = createBrowser(forge.url);
    await visit.signIn(alice);
    expect((await visit.get("/org/garden/dashboard")).text).toContain("No activity yet in the repositories of garden.");
    await alice.post("/user/repos", { name: "own" }).expect(201);
    await alice.post("/orgs/garden/repos", { name: "shed", private: true }).expect(201);
    for (const [path, title] of [
      ["/repos/alice/own", "Own issue"],
      ["/repos/garden/shed", "Shed issue"],
    ])
      await alice.post(`${path}/issues`, { title, assignees: ["alice"] }).expect(201);
    await forge.settled();

    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const home = await browser.get("/");
    expect([home.text.includes("Own issue"), home.text.includes("Shed issue")]).toEqual([true, true]);
    expect(home.text).toContain('href="/org/garden/dashboard"');
    const page = await browser.get("/org/garden/dashboard");
    expect(page.status).toBe(200);
    expect([page.text.includes("Own issue"), page.text.includes("Shed issue")]).toEqual([false, true]);
    expect([page.text.includes('href="/alice/own"'), page.text.includes('href="/garden/shed"')]).toEqual([false, true]);
    expect(page.text).toContain('<a href="/org/garden/dashboard" aria-current="page">');
    expect(page.text).toContain('href="/repo/create?owner=garden"');
  });

  test("the number of statements does not depend on the number of repositories and issues", async () => {
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const count = async (): Promise<number> => {
      await browser.get("/org/garden/dashboard");
      return (await forge.cost(() => browser.get("/org/garden/dashboard"))).statements.length;
    };
    const before = await count();
    for (const name of ["bed", "pond"]) {
      await alice.post("/orgs/garden/repos", { name }).expect(201);
      for (const title of ["one", "two"]) await alice.post(`/repos/garden/${name}/issues`, { title, assignees: ["alice"] }).expect(201);
    }
    expect(await count()).toBe(before);
  });

  test("is for members only", async () => {
    const browser = createBrowser(forge.url);
    expect((await browser.get("/org/garden/dashboard")).location).toContain("/user/login");
    await browser.signIn(bob);
    expect((await browser.get("/org/garden/dashboard")).status).toBe(403);
  });
});
