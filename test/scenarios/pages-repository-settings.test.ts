import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { type ReadPage, readPage } from "../kit/page.ts";

/** What administrators of a repository decide about it, on pages without a script. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let owner: Browser;
  let other: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    [owner, other] = [await signedIn(alice), await signedIn(bob)];
    await alice.post("/user/repos", { name: "r", auto_init: true }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  async function signedIn(user: TestUser): Promise<Browser> {
    const browser = createBrowser(forge.url);
    await browser.signIn(user);
    return browser;
  }
  const open = async (path: string, browser = owner): Promise<ReadPage & { readonly status: number }> => {
    const { status, text } = await browser.get(path);
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    return { status, ...page };
  };
  /** Fills in the form that stands on a page. */
  const send = async (path: string, action: string, fields: Readonly<Record<string, string>> = {}) => owner.submit(await owner.get(path), action, fields);

  describe("general settings", () => {
    const path = "/alice/r/settings";

    test("are for those who administer the repository", async () => {
      expect((await open("/alice/r")).links).toContain(path);
      expect((await open("/alice/r", other)).links).not.toContain(path);
      expect((await open(path, other)).status).toBe(403);
      expect((await createBrowser(forge.url).get(path)).location).toBe(`/user/login?redirect_to=${encodeURIComponent(path)}`);
      await alice.put("/repos/alice/r/collaborators/bob", { permission: "admin" }).expect(204);
      const page = await open(path, other);
      expect([page.status, page.links.includes(`${path}/delete`), page.headings]).toEqual([200, false, ["General"]]);
      expect((await open(`${path}/delete`, other)).status).toBe(403);
      await alice.delete("/repos/alice/r/collaborators/bob").expect(204);
    });

    test("a form that is sent as it came changes nothing; what is typed is kept and shown", async () => {
      const before = await alice.get("/repos/alice/r").expect(200);
      const sent = await send(path, path);
      expect([sent.status, sent.location]).toEqual([303, `${path}?saved=true`]);
      expect(await alice.get("/repos/alice/r").expect(200)).toEqual({ ...before, updated_at: expect.any(String) });
      expect((await open(`${path}?saved=true`)).text).toContain("Saved.");
      await send(path, path, {
        description: evil,
        website: "https://example.org",
        wiki: "off",
        issues: "external",
        external_tracker_url: "https://t.example.org",
      });
      expect(await alice.get("/repos/alice/r").expect(200)).toMatchObject({
        description: evil,
        website: "https://example.org",
        has_wiki: false,
        has_issues: true,
        external_tracker: { external_tracker_url: "https://t.example.org" },
      });
      await send(path, path, { issues: "own", private: "true", default_merge_style: "squash", allow_rebase: "" });
      const after = await alice.get("/repos/alice/r").expect(200);
      expect(after).toMatchObject({ private: true, default_merge_style: "squash", allow_rebase: false, internal_tracker: { enable_time_tracker: true } });
      await alice.patch("/repos/alice/r", { private: false }).expect(200);
    });

    test.each([
      [{ name: "a b" }, "Use letters, digits, and - _ . alone."],
      [{ name: "taken" }, "There is a repository of this name already."],
      [{ website: "javascript:alert(1)" }, "This is no address that can be opened here"],
      [{ default_branch: "nowhere" }, "There is no such branch."],
      [{ description: "d".repeat(2049) }, "This is too long."],
      [{ issues: "external", external_tracker_url: "odd" }, "This is no address that can be opened here"],
    ])("%o is refused beside its field, and nothing that was typed is lost", async (fields, said) => {
      if ((await alice.get("/repos/alice/taken")).status === 404) await alice.post("/user/repos", { name: "taken" }).expect(201);
      const before = await alice.get("/repos/alice/r").expect(200);
      const answer = await send(path, path, { website: "https://typed.example.org", ...fields });
      expect(answer.status).toBe(422);
      expect(readPage(answer.text).text).toContain(said);
      const typed = Object.values(fields).at(-1) ?? "";
      expect(Object.values(answer.form(path))).toContain(typed);
      expect(await alice.get("/repos/alice/r").expect(200)).toEqual(before);
    });

    test("forms of other sites, and those without their token, change nothing", async () => {
      const form = (await owner.get(path)).form(path);
      const foreign = await owner.post(path, { ...form, description: "x" }, { origin: "http://evil.example", "sec-fetch-site": "cross-site" });
      const { _csrf, ...unsigned } = form;
      expect([foreign.status, (await owner.post(path, unsigned)).status, (await other.post(path, form)).status]).toEqual([403, 403, 403]);
    });

    test("a repository is archived, taken out again, renamed, and deleted by its name alone", async () => {
      await send(path, `${path}/archive`);
      expect(await alice.get("/repos/alice/r").expect(200)).toMatchObject({ archived: true });
      await send(path, `${path}/unarchive`);
      expect(await alice.get("/repos/alice/r").expect(200)).toMatchObject({ archived: false });
      await alice.post("/user/repos", { name: "doomed" }).expect(201);
      const renamed = await send("/alice/doomed/settings", "/alice/doomed/settings", { name: "ended" });
      expect(renamed.location).toBe("/alice/ended/settings?saved=true");
      const [ended, last] = ["/alice/ended/settings", "/alice/ended/settings/delete"];
      expect((await open(ended)).links).toContain(last);
      const wrong = await send(last, last, { confirmation: "ended" });
      expect([wrong.status, readPage(wrong.text).text.includes("This is not its name.")]).toEqual([422, true]);
      expect((await send(last, last, { confirmation: "alice/ended" })).location).toBe("/alice");
      await alice.get("/repos/alice/ended").expect(404);
    });

    test("a page asks the database a fixed number of times", async () => {
      const { statements } = await forge.cost(() => owner.get(path));
      expect(statements).toHaveLength(4);
    });
  });
});
