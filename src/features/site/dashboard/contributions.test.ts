import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;

  test("the dashboard links to the contributions, and its script loads them as a part that browsers keep", async () => {
    await alice.post("/user/repos", { name: "site", private: true }).expect(201);
    await alice.post("/repos/alice/site/issues", { title: "One" }).expect(201);
    await forge.settled();
    const [own, other, visitor] = [createBrowser(forge.url), createBrowser(forge.url), createBrowser(forge.url)];
    await own.signIn(alice);
    await other.signIn(bob);
    const home = (await own.get("/")).text;
    expect(home).toContain('<section class="calendar" data-part="/alice/-/contributions?language=en"><h2><a href="/alice">');
    expect(home).not.toContain("<svg width");
    const part = await own.get("/alice/-/contributions?language=de");
    expect(part.text).toMatch(/^<section class="calendar"><h2>2 Beiträge im letzten Jahr/);
    expect([part.headers.get("cache-control"), part.headers.get("vary")]).toEqual(["private, max-age=900", expect.stringContaining("cookie")]);
    // Others see the contributions to repositories that they can read.
    for (const browser of [other, visitor])
      expect((await browser.get("/alice/-/contributions")).text).toMatch(/^<section class="calendar"><h2>0 contributions/);
    expect((await own.get("/nobody/-/contributions")).status).toBe(404);
    await alice.post("/orgs", { username: "garden" }).expect(201);
    expect((await own.get("/garden/-/contributions")).status).toBe(404);
    expect((await own.get("/org/garden/dashboard")).text).not.toContain("data-part");
    expect((await forge.cost(() => own.get("/alice/-/contributions"))).statements.length).toBeLessThanOrEqual(4);
  });
});
