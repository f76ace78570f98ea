import { expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";

const path = "/notifications/selected";

eachDialect((dialect) => {
  test("users mark several selected notifications at once, in one statement for all, and never those of others", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    await alice.post("/user/repos", { name: "one" }).expect(201);
    for (const title of ["first", "second", "third", "fourth"]) await alice.post("/repos/alice/one/issues", { title, body: "@bob @carol" }).expect(201);
    const [ofBob, ofCarol] = [createBrowser(forge.url), createBrowser(forge.url)];
    await ofBob.signIn(bob);
    await ofCarol.signIn(carol);
    const idsOf = async (browser: Browser, status: string): Promise<readonly string[]> =>
      [...(await browser.get(`/notifications?status=${status}`)).text.matchAll(/name="ids" value="(\d+)"/g)].map(([, id = ""]) => id);
    const mark = async (ids: readonly string[], status: string, browser = ofBob) => {
      const { _csrf = "" } = (await browser.get("/notifications?status=all")).form(path);
      const fields = new URLSearchParams({ _csrf, status, back: "/notifications?status=all" });
      for (const id of ids) fields.append("ids", id);
      return browser.post(path, fields);
    };
    const [a = "", b = "", c = "", d = ""] = await idsOf(ofBob, "unread");
    const marked = await mark([a, b], "read");
    expect([marked.status, marked.location]).toEqual([303, "/notifications?status=all"]);
    expect([await idsOf(ofBob, "unread"), await idsOf(ofBob, "read")]).toEqual([
      [c, d],
      [a, b],
    ]);
    await mark([a, c], "pinned");
    expect([await idsOf(ofBob, "unread"), await idsOf(ofBob, "pinned"), await idsOf(ofBob, "read")]).toEqual([[d], [a, c], [b]]);
    const one = await forge.cost(() => mark([b], "unread"));
    const several = await forge.cost(() => mark([a, b, c], "unread"));
    expect([several.statements.length, (await idsOf(ofBob, "unread")).length]).toEqual([one.statements.length, 4]);

    const none = await mark([], "read");
    expect([none.status, none.text.includes("Select at least one entry.")]).toEqual([422, true]);
    expect((await mark([a, b], "read", ofCarol)).status).toBe(303);
    expect([(await idsOf(ofBob, "unread")).length, (await idsOf(ofCarol, "unread")).length]).toEqual([4, 4]);
    expect((await mark([a, "no id"], "read")).status).toBeGreaterThanOrEqual(400);
    expect((await idsOf(ofBob, "unread")).length).toBe(4);
  });
});
