import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { readPage } from "../kit/page.ts";

/** Release pages. */

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

  describe("release pages", () => {
    test("an empty list explains releases", async () => {
      expect((await open("/alice/r/releases")).text).toContain("No releases yet");
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
      for (const link of [
        "/alice/r/releases/tag/v1.0/final",
        "/alice/r/archive/v1.0/final.zip",
        "/alice/r/archive/v1.0/final.tar.gz",
        "/alice/r/compare/v1.0/final...main",
      ])
        expect(page.links).toContain(link);
      expect((await open("/alice/r/releases/tag/v1.0/final")).headings).toEqual([`Named ${evil}`]);
      expect((await open("/alice/r")).links).toContain("/alice/r/releases");
      expect((await visitor.get("/alice/r/archive/v1.0/final.zip")).status).toBe(200);
    });

    test("drafts are visible to users with write access to releases only", async () => {
      await release("v2", { draft: true });
      expect((await open("/alice/r/releases")).text).not.toContain("Release v2");
      expect((await visitor.get("/alice/r/releases/tag/v2")).status).toBe(404);
      const page = await open("/alice/r/releases", owner);
      for (const word of ["Release v2", "Draft"]) expect(page.text).toContain(word);
      expect((await open("/alice/r/releases/tag/v2", owner)).status).toBe(200);
    });

    test("a page with many releases runs as many statements as one with few", async () => {
      await visitor.get("/alice/r/releases");
      const few = await forge.cost(() => visitor.get("/alice/r/releases"));
      for (let count = 0; count < 5; count += 1) await release(`many-${count}`);
      await visitor.get("/alice/r/releases");
      const many = await forge.cost(() => visitor.get("/alice/r/releases"));
      expect(many.statements.length).toBeLessThanOrEqual(few.statements.length);
    });
  });

  describe("the release form", () => {
    const creation = "/alice/w/releases/new";
    const editing = (tag: string) => `/alice/w/releases/edit/${tag}`;
    beforeAll(() => alice.post("/user/repos", { name: "w", auto_init: true, default_branch: "main" }).expect(201));
    const file = (name: string, content: string | Uint8Array = name) => ({ field: "files", name, content });
    const get = (tag: string) => alice.get(`/repos/alice/w/releases/tags/${tag}`);
    const names = async (tag: string): Promise<string[]> => (await get(tag).expect(200)).assets.map(({ name }: { name: string }) => name);

    test("creates a release with its tag and files, for users with write access", async () => {
      expect((await open("/alice/w/releases", owner)).links).toContain(creation);
      expect((await open("/alice/w/releases")).links).not.toContain(creation);
      expect((await visitor.get(creation)).location).toContain("/user/login");
      expect((await open("/alice/w", owner)).links).toContain(creation);
      expect((await open("/alice/w")).links).not.toContain(creation);
      const page = await owner.get(`${creation}?tag=v/1&target=main`);
      expect(page.form(creation)).toMatchObject({ tag_name: "v/1", target: "main" });
      const typed = { action: "publish", title: `One ${evil}`, note: "# New\r\n\r\n- a", prerelease: "true", _draft: "true" };
      await alice.put("/user/drafts", { form: creation, fields: { note: "kept" } }).expect(200);
      const made = await owner.upload(page, creation, typed, [file("a.txt"), file("large.bin", Buffer.alloc(300_000, 1))]);
      expect([made.status, made.location]).toEqual([303, "/alice/w/releases/tag/v/1"]);
      expect(await get("v/1").expect(200)).toMatchObject({ name: typed.title, body: "# New\n\n- a", draft: false, prerelease: true, target_commitish: "main" });
      expect(await names("v/1")).toEqual(["a.txt", "large.bin"]);
      expect(await alice.get(`/user/drafts?form=${encodeURIComponent(creation)}`).expect(200)).toEqual([]);
      const shown = await open("/alice/w/releases/tag/v/1", owner);
      expect(shown.links).toContain(editing("v/1"));
      expect((await open("/alice/w/releases/tag/v/1")).links).not.toContain(editing("v/1"));
      // Sending the form again creates nothing.
      expect((await owner.upload(page, creation, typed, [file("a.txt")])).location).toBe("/alice/w/releases/tag/v/1");
      expect(await names("v/1")).toEqual(["a.txt", "large.bin"]);
    });

    test("fills in notes from merged pull requests by label, with new contributors and a link to all changes", async () => {
      const dana = await forge.createUser("dana");
      await alice.post("/user/repos", { name: "notes", auto_init: true, default_branch: "main" }).expect(201);
      const base = "/repos/alice/notes";
      await alice.put(`${base}/collaborators/dana`, { permission: "write" }).expect(204);
      await alice.post(`${base}/labels`, { name: "bug", color: "#ff0000" }).expect(201);
      await alice.post(`${base}/labels`, { name: "skip", color: "#00ff00" }).expect(201);
      const merge = async (user: TestUser, name: string, title: string, labels: readonly string[], style: string): Promise<number> => {
        await user.post(`${base}/contents/${name}.txt`, { content: "eA==", message: name, branch: "main", new_branch: name }).expect(201);
        const { number } = await user.post<{ number: number }>(`${base}/pulls`, { base: "main", head: name, title }).expect(201);
        if (labels.length > 0) await alice.post(`${base}/issues/${number}/labels`, { labels }).expect(200);
        await alice.post(`${base}/pulls/${number}/merge`, { Do: style }).expect(200);
        return number;
      };
      const path = "/alice/notes/releases/new";
      const notesOf = async (fields: Readonly<Record<string, string>>): Promise<string | undefined> => {
        const form = await owner.get(path);
        const filled = await owner.upload(form, path, { ...fields, action: "notes" }, []);
        expect([filled.status, readPage(filled.text).dangers]).toEqual([200, []]);
        expect(filled.text.match(/<(\w+)[^>]* autofocus/g)).toEqual([expect.stringMatching(/^<textarea [^>]*name="note"/)]);
        return filled.form(path).note;
      };
      // Without pull requests, the notes list commits.
      expect(await notesOf({ tag_name: "v1" })).toMatch(/^## What's changed\n- Initial commit \(\[[0-9a-f]{10}\]\(http/);
      const old = await merge(alice, "old", "Old", [], "merge");
      await alice.post(`${base}/tags`, { tag_name: "v1" }).expect(201);
      const fix = await merge(dana, "fix", `Fix *it* ${evil}`, ["bug"], "squash");
      const plain = await merge(alice, "plain", "Do something", ["skip"], "rebase");
      const address = (number: number) => `${forge.url}/alice/notes/pulls/${number}`;
      const title = 'Fix \\*it\\* "\\>\\<img src=x onerror=alert(1)\\>\\<script\\>alert(2)\\</script\\>';
      const expected = [
        `## What's changed\n\n### Bug fixes\n- ${title} by @dana in ${address(fix)}\n\n### Other changes\n- Do something by @alice in ${address(plain)}`,
        `## New contributors\n- @dana made their first contribution in ${address(fix)}`,
        `**Full changelog**: ${forge.url}/alice/notes/compare/v1...v2`,
      ].join("\n\n");
      expect((await notesOf({ tag_name: "v2" }))?.trimEnd()).toBe(expected);
      // Text that the user has written is kept, and nothing is created.
      expect(await notesOf({ tag_name: "v2", note: "Mine", title: "Two", previous_tag: "v1" })).toBe(`Mine\n\n${expected}\n`);
      expect((await open("/alice/notes/releases")).text).toContain("No releases yet");
      // Rules of the repository, in GitHub's format.
      const rules = "changelog:\n  exclude:\n    labels: [skip]\n  categories:\n    - title: Repairs\n      labels: [BUG]\n";
      await alice.post(`${base}/contents/.github/release.yml`, { content: Buffer.from(rules).toString("base64"), message: "Add rules" }).expect(201);
      const ruled = await notesOf({ tag_name: "v2" });
      expect(ruled).toContain("### Repairs\n- Fix");
      expect(ruled).not.toContain("Do something");
      const all = await notesOf({ tag_name: "v1" });
      expect(all).toContain(address(old));
      expect(all).toContain(`${forge.url}/alice/notes/commits/tag/v1`);
      for (const [fields, field] of [
        [{ tag_name: "", note: "kept" }, "tag_name"],
        [{ tag_name: "v3", target: "nosuch", note: "kept" }, "target"],
        [{ tag_name: "v3", previous_tag: "nosuch", note: "kept" }, "previous_tag"],
      ] as const) {
        const refused = await owner.upload(await owner.get(path), path, { ...fields, action: "notes" }, []);
        expect([refused.status, /id="(\w+)-problem"/.exec(refused.text)?.[1], refused.text.includes("kept")]).toEqual([422, field, true]);
      }
      expect((await open(path, owner)).text).not.toContain("nosuch");
      expect((await owner.get(path)).text).toContain('<option value="v1"');
    });

    test("hides drafts from readers, and can create only a tag", async () => {
      const page = await owner.get(creation);
      expect((await owner.submit(page, creation, { action: "draft", tag_name: "later", note: "n" })).location).toBe("/alice/w/releases/tag/later");
      expect(await get("later").expect(200)).toMatchObject({ draft: true });
      expect((await visitor.get("/alice/w/releases/tag/later")).status).toBe(404);
      expect((await owner.submit(page, creation, { action: "tag", tag_name: "alone", tag_message: "a\r\nb" })).location).toBe("/alice/w/tags");
      expect(await alice.get("/repos/alice/w/tags/alone").expect(200)).toMatchObject({ message: "a\nb" });
      await get("alone").expect(404);
      expect((await open("/alice/w/tags", owner)).links).toContain(`${creation}?tag=alone`);
      expect((await open("/alice/w/tags")).links).not.toContain(`${creation}?tag=alone`);
      expect((await owner.get(`${creation}?tag=later`)).location).toBe(editing("later"));
    });

    test("keeps its input and the uploaded files when it is rejected, and shows errors next to their fields", async () => {
      const page = await owner.get(creation);
      const tried = await owner.upload(page, creation, { action: "publish", tag_name: "v/1", title: "T", note: "\nwords" }, [
        file("kept.txt"),
        file("x\u202ey"),
      ]);
      expect(tried.status).toBe(422);
      expect(tried.text).toMatch(/id="files-problem">This is not a valid file name\./);
      expect(tried.form(creation)).toMatchObject({ tag_name: "v/1", title: "T", note: "\nwords" });
      const cases = [
        ["v/1", "", "tag_name", "already has a release"],
        ["", "", "tag_name", "field is required"],
        ["no good", "", "tag_name", "not a valid branch or tag name"],
        ["v9", "nowhere", "target", "Branch, tag or commit not found"],
      ] as const;
      for (const [tag, target, field, words] of cases) {
        const refused = await owner.submit(tried, creation, { action: "publish", tag_name: tag, target });
        expect([refused.status, tag], tag).toEqual([422, refused.form(creation).tag_name]);
        expect(new RegExp(`id="${field}-problem">[^<]*${words}`).test(refused.text), `${tag} ${target}`).toBe(true);
        expect(readPage(refused.text)).toMatchObject({ dangers: [], text: expect.stringContaining("kept.txt") });
      }
      const made = await owner.submit(tried, creation, { action: "publish", tag_name: "v2" });
      expect(made.location).toBe("/alice/w/releases/tag/v2");
      expect(await names("v2")).toEqual(["kept.txt"]);
      // Users can only refer to files that they uploaded.
      const bob = await forge.createUser("bob");
      await alice.put("/repos/alice/w/collaborators/bob", { permission: "write" }).expect(204);
      const other = createBrowser(forge.url);
      await other.signIn(bob);
      const { came = "" } = tried.form(creation);
      await other.submit(await other.get(creation), creation, { action: "publish", tag_name: "v3", came });
      expect(await names("v3")).toEqual([]);
    });

    test("changes texts, names and files together, and shows concurrent changes of another user", async () => {
      const page = await owner.get(editing("v2"));
      const [kept] = (await get("v2").expect(200)).assets;
      const changes = { action: "publish", title: "Two", note: "", [`name_${kept.id}`]: "renamed.txt" };
      const wrong = await owner.submit(page, editing("v2"), { ...changes, [`name_${kept.id}`]: "a/b" });
      expect([wrong.status, wrong.form(editing("v2"))[`name_${kept.id}`]]).toEqual([422, "a/b"]);
      const saved = await owner.upload(page, editing("v2"), changes, [file("more.txt")]);
      expect(saved.location).toBe("/alice/w/releases/tag/v2");
      expect(await names("v2")).toEqual(["more.txt", "renamed.txt"]);
      expect((await owner.upload(page, editing("v2"), changes, [file("more.txt")])).status).toBe(303);
      expect(await names("v2")).toEqual(["more.txt", "renamed.txt"]);

      const stale = await owner.submit(page, editing("v2"), { action: "publish", title: "Mine", note: "my words", [`remove_${kept.id}`]: "true" });
      expect(stale.status).toBe(422);
      for (const word of ["This release has changed", "Current version of the release", "Two"]) expect(readPage(stale.text).text).toContain(word);
      expect(await names("v2")).toEqual(["more.txt", "renamed.txt"]);
      const mine = await owner.submit(stale, editing("v2"), { action: "draft", tag_name: "v2.1" });
      expect(mine.location).toBe("/alice/w/releases/tag/v2.1");
      expect(await get("v2.1").expect(200)).toMatchObject({ name: "Mine", body: "my words", draft: true });
      expect(await names("v2.1")).toEqual(["more.txt"]);

      const last = await owner.get(editing("v2.1"));
      expect((await owner.submit(last, "/alice/w/releases/delete/v2.1")).location).toBe("/alice/w/releases?saved=deleted");
      const gone = await owner.submit(last, editing("v2.1"), { action: "publish", note: "not lost" });
      expect([gone.status, gone.form(creation).note]).toEqual([422, "not lost"]);
    });

    test("rejects requests without its token, from other sites, and from readers", async () => {
      const page = await owner.get(creation);
      const typed = { action: "publish", tag_name: "evil" };
      expect((await owner.upload(page, creation, { ...typed, _csrf: "wrong" }, [file("a", Buffer.alloc(200_000))])).status).toBe(403);
      expect(
        (await owner.post(creation, { ...page.form(creation), ...typed }, { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" })).status,
      ).toBe(403);
      const carol = await forge.createUser("carol");
      const reader = createBrowser(forge.url);
      await reader.signIn(carol);
      for (const path of [creation, editing("v/1")]) expect((await reader.get(path)).status).toBe(403);
      const { _csrf = "" } = (await reader.get("/user/settings")).form("/user/logout");
      for (const path of [creation, editing("v/1"), "/alice/w/releases/delete/v/1"]) expect((await reader.post(path, { ...typed, _csrf })).status).toBe(403);
      await get("evil").expect(404);
      await alice.patch("/repos/alice/w", { archived: true }).expect(200);
      expect((await open("/alice/w/releases", owner)).links).not.toContain(creation);
      expect((await owner.submit(page, creation, typed)).status).toBe(423);
    });
  });
});
