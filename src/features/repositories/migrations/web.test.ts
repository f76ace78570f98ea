import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { readPage } from "../../../../test/kit/page.ts";
import { push } from "../../../../test/kit/push.ts";

/** The pages that start and show migrations, without JavaScript. */

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let browser: Browser;
  const origin = createClient();
  beforeAll(async () => {
    origin.commit({ "readme.md": "# Moved\n" });
    forge = await startForge({ dialect, environment: { HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback" } });
    alice = await forge.createUser("alice");
    await alice.post("/orgs", { username: "guild" }).expect(201);
    await alice.post("/user/repos", { name: "source" }).expect(201);
    await push(origin, alice, "alice/source", "main");
    browser = createBrowser(forge.url);
    await browser.signIn(alice);
  });
  afterAll(async () => {
    origin.remove();
    await forge[Symbol.asyncDispose]();
  });

  const form = "/repo/migrate";
  const start = async (fields: Readonly<Record<string, string>>) => browser.submit(await browser.get(form), form, fields);

  test("a migration shows its progress, can be cancelled, and leads to the repository", async () => {
    const page = readPage((await browser.get(form)).text);
    expect([page.dangers, page.headings]).toEqual([[], ["Migrate a repository"]]);
    const started = await start({ clone_addr: `${forge.url}/alice/source.git`, owner: "guild", name: "moved", description: "Ours now", private: "true" });
    expect([started.status, started.location]).toEqual([303, expect.stringMatching(/^\/repo\/migrations\/\d+$/)]);
    const path = started.location ?? "";
    const shown = await browser.get(path);
    expect([shown.status, readPage(shown.text).dangers, readPage(shown.text).headings]).toEqual([200, [], ["Migration of guild/moved"]]);
    await forge.settled();
    const done = await browser.get(path);
    expect(done.headers.get("refresh")).toBeNull();
    expect(readPage(done.text).links).toContain("/guild/moved");
    expect(await alice.get("/repos/guild/moved").expect(200)).toMatchObject({ description: "Ours now", private: true, empty: false });
    const list = readPage((await browser.get("/repo/migrations")).text);
    expect(list.links).toContain(path);
    expect(list.text).toContain("guild/moved Done");
    // Only its caller sees it.
    const bob = createBrowser(forge.url);
    await bob.signIn(await forge.createUser("bob"));
    expect((await bob.get(path)).status).toBe(404);
    expect((await bob.post(`${path}/cancel`, { _csrf: (await bob.get(form)).form(form)._csrf ?? "" })).status).toBe(404);
  });

  test("a failed migration shows the reason, and the form keeps its input but no secret", async () => {
    const failed = await start({ clone_addr: `${forge.url}/alice/nosuch.git`, name: "failing" });
    await forge.settled();
    const page = readPage((await browser.get(failed.location ?? "")).text);
    expect(page.text).toContain("The migration failed. The other server did not accept the sign-in. Check the address");
    expect(page.links).toContainEqual(expect.stringMatching(/^\/repo\/migrate\?again=\d+$/));
    for (const [fields, field, words] of [
      [{ clone_addr: "/etc", name: "x" }, "clone_addr", "Repositories on this machine cannot be imported."],
      [{ clone_addr: "ftp://example.org/x.git", name: "x" }, "clone_addr", "Use an address that starts with https://"],
      [{ clone_addr: "example.org/owner/x.git", name: "x" }, "clone_addr", "Use an address that starts with https://"],
      [{ clone_addr: "/srv/x.git", name: "x" }, "clone_addr", "Repositories on this machine cannot be imported"],
      [{ clone_addr: `${forge.url}/alice/source.git`, name: "source" }, "name", "A repository with this name already exists."],
      [{ clone_addr: `${forge.url}/alice/source.git`, name: "a b" }, "name", "Use only A–Z, a–z, digits, dashes, underscores, and dots."],
      [{ clone_addr: `${forge.url}/alice/source.git`, name: "x", owner: "nowhere" }, "owner", "User not found."],
    ] as const) {
      const refused = await start({ ...fields, description: "Long words", auth_token: "hidden-secret" });
      const shownAt = /id="(\w+)-problem"/.exec(refused.text)?.[1];
      expect([shownAt, refused.status, refused.text.includes(words), refused.text.includes("Long words"), refused.text.includes("hidden-secret")]).toEqual([
        field,
        422,
        true,
        true,
        false,
      ]);
    }
    const both = await start({ clone_addr: "ftp://example.org/x.git", name: "a b" });
    expect([...both.text.matchAll(/id="(\w+)-problem"/g)].map(([, field]) => field)).toEqual(["clone_addr", "name"]);
    expect((await createBrowser(forge.url).get(form)).location).toContain("/user/login");
  });
});
