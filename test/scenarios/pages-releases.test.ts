import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { readPage } from "../kit/page.ts";

/** Releases as people look at them. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let visitor: Browser;
  let owner: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "r", auto_init: true, default_branch: "main" }).expect(201);
    visitor = createBrowser(forge.url);
    owner = createBrowser(forge.url);
    await owner.signIn(alice);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const release = (tag: string, more: object = {}) =>
    alice.post<{ id: number }>("/repos/alice/r/releases", { tag_name: tag, name: `Release ${tag}`, body: `Notes of **${tag}** ${evil}`, ...more }).expect(201);
  const open = async (path: string, browser = visitor) => {
    const { status, text } = await browser.get(path);
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    expect(page.headings.length, path).toBe(1);
    return { status, ...page };
  };

  describe("pages of releases", () => {
    test("an empty list says what releases are", async () => {
      expect((await open("/alice/r/releases")).text).toContain("There is no release here yet");
    });

    test("releases have their notes, files and archives", async () => {
      const made = await release("v1.0/final", { prerelease: true, name: `Named ${evil}` });
      const form = new FormData();
      form.set("attachment", new Blob([Buffer.alloc(2_048)]), "app é.bin");
      const address = `${forge.url}/api/v1/repos/alice/r/releases/${made.id}/assets`;
      const uploaded = await fetch(address, { method: "POST", headers: { authorization: `token ${alice.token}` }, body: form });
      expect(uploaded.status).toBe(201);
      const page = await open("/alice/r/releases");
      for (const word of ["app é.bin", "2 KiB", "0 downloads"]) expect(page.text).toContain(word);
      const file = page.links.find((link) => link.includes("/releases/download/")) ?? "";
      expect((await visitor.get(file)).status).toBe(200);
      for (const word of [`Named ${evil}`, "Notes of v1.0/final", "Pre-release"]) expect(page.text).toContain(word);
      for (const link of ["/alice/r/releases/tag/v1.0/final", "/alice/r/archive/v1.0/final.zip", "/alice/r/archive/v1.0/final.tar.gz"])
        expect(page.links).toContain(link);
      expect((await open("/alice/r/releases/tag/v1.0/final")).headings).toEqual([`Named ${evil}`]);
      expect((await open("/alice/r")).links).toContain("/alice/r/releases");
      expect((await visitor.get("/alice/r/archive/v1.0/final.zip")).status).toBe(200);
    });

    test("drafts are for those who write releases", async () => {
      await release("v2", { draft: true });
      expect((await open("/alice/r/releases")).text).not.toContain("Release v2");
      expect((await visitor.get("/alice/r/releases/tag/v2")).status).toBe(404);
      const page = await open("/alice/r/releases", owner);
      for (const word of ["Release v2", "Draft"]) expect(page.text).toContain(word);
      expect((await open("/alice/r/releases/tag/v2", owner)).status).toBe(200);
    });

    test("a page with many asks the database no more often than one with few", async () => {
      await visitor.get("/alice/r/releases");
      const few = await forge.cost(() => visitor.get("/alice/r/releases"));
      for (let count = 0; count < 5; count += 1) await release(`many-${count}`);
      await visitor.get("/alice/r/releases");
      const many = await forge.cost(() => visitor.get("/alice/r/releases"));
      expect(many.statements.length).toBeLessThanOrEqual(few.statements.length);
    });
  });
});
