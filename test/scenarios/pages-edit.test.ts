import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createClient } from "../kit/git.ts";
import { type ReadPage, readPage, timeless } from "../kit/page.ts";
import { push } from "../kit/push.ts";

/** Files created, edited, moved, deleted, blamed and searched in a browser without JavaScript. One dialect is enough. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
const client = createClient();
afterAll(() => client.remove());
client.commit({
  "src/a b.ts": "const one = 1;\nconst two = 2;\n",
  "dos.txt": "one\r\ntwo\r\n",
  "latin.txt": Buffer.from("gr\xfc\xdfe\n", "latin1"),
  "picture.bin": Buffer.from([0, 1, 2]),
  "evil.txt": `${evil}\n`,
  "first.txt": "\n\nafter blank lines\n",
});

describe("files in a browser", () => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let owner: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect: sqlite });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "r" }).expect(201);
    await alice.post("/user/repos", { name: "secret", private: true, auto_init: true }).expect(201);
    await push(client, alice, "alice/r", "main");
    owner = createBrowser(forge.url);
    await owner.signIn(alice);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const open = async (path: string, browser = owner): Promise<ReadPage & { readonly status: number }> => {
    const { status, text } = await browser.get(path);
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    return { status, ...page };
  };
  const contentOf = async (path: string, ref = "main"): Promise<string> => {
    const file = await alice.get(`/repos/alice/r/contents/${path}?ref=${ref}`).expect(200);
    return Buffer.from(file.content, "base64").toString();
  };

  test("are edited and moved in a commit with a message", async () => {
    const path = "/alice/r/_edit/main/src/a%20b.ts";
    expect((await open("/alice/r/src/branch/main/src/a%20b.ts")).links).toContain(path);
    const form = await owner.get(path);
    expect(form.text).toContain("const two = 2;");
    const unchanged = await owner.submit(form, path, { details: "Why not." });
    expect([unchanged.status, unchanged.text.includes("Nothing has changed."), unchanged.form(path).details]).toEqual([422, true, "Why not."]);
    const done = await owner.submit(form, path, { path: "lib/a.ts", content: "const one = 1;\r\nconst two = 3;\r\n", details: "Because." });
    expect([done.status, done.location]).toEqual([303, "/alice/r/src/branch/main/lib/a.ts"]);
    expect(await contentOf("lib/a.ts")).toBe("const one = 1;\nconst two = 3;\n");
    await alice.get("/repos/alice/r/contents/src/a%20b.ts").expect(404);
    const [commit] = await alice.get("/repos/alice/r/commits?limit=1").expect(200);
    expect([commit.commit.message, commit.author.login]).toEqual(["Update lib/a.ts\n\nBecause.\n", "alice"]);
  });

  test("keep their line endings and leading blank lines", async () => {
    const dos = await owner.get("/alice/r/_edit/main/dos.txt");
    await owner.submit(dos, "/alice/r/_edit/main/dos.txt", { content: "one\r\nthree\r\n", summary: "Count" });
    expect(await contentOf("dos.txt")).toBe("one\r\nthree\r\n");
    expect((await owner.get("/alice/r/_edit/main/first.txt")).text).toContain(">\n\n\nafter blank lines");
  });

  test("are created on a new branch, which is then compared", async () => {
    const form = await owner.get("/alice/r/_new/main/docs");
    const proposed = await owner.submit(form, "/alice/r/_new/main/docs", { path: "docs/new.md", content: "# New", target: "branch", new_branch: "idea" });
    expect(proposed.location).toBe("/alice/r/compare/main...idea");
    expect(await contentOf("docs/new.md", "idea")).toBe("# New");
    await alice.get("/repos/alice/r/contents/docs/new.md").expect(404);
    expect(readPage(form.text).text).toContain("Leave empty for “Add” and the path.");
    const unnamed = await owner.submit(form, "/alice/r/_new/main/docs", { path: " ", content: "Long story", target: "direct" });
    expect([unnamed.status, readPage(unnamed.text).text.includes("This field is required."), unnamed.text.includes("Long story")]).toEqual([422, true, true]);
    const again = await owner.submit(form, "/alice/r/_new/main/docs", { path: "evil.txt", content: "Long story", target: "direct" });
    expect([again.status, again.text.includes("Long story")]).toEqual([422, true]);
    const nameless = await owner.submit(form, "/alice/r/_new/main/docs", { path: "x.txt", content: "Long story", target: "branch", new_branch: "" });
    expect([nameless.status, nameless.text.includes("Long story")]).toEqual([422, true]);
  });

  test("show both versions if another user has changed them during the edit", async () => {
    const path = "/alice/r/_edit/main/evil.txt";
    const form = await owner.get(path);
    const { sha } = await alice.get("/repos/alice/r/contents/evil.txt").expect(200);
    await alice.put("/repos/alice/r/contents/evil.txt", { sha, content: Buffer.from(`theirs ${evil}`).toString("base64"), message: "m" }).expect(200);
    const late = await owner.submit(form, path, { path: "evil.txt", content: "mine" });
    expect([late.status, late.text.includes("mine"), readPage(late.text).text.includes(`theirs ${evil}`)]).toEqual([422, true, true]);
    expect(readPage(late.text).dangers).toEqual([]);
    expect((await owner.submit(late, path, { path: "evil.txt", content: "both" })).status).toBe(303);
    expect(await contentOf("evil.txt")).toBe("both");
  });

  test("show the lines of a change and the rendered file before the commit, and keep the form", async () => {
    const files = [
      { operation: "create", path: "shown/readme.md", content: Buffer.from("# One\n\ntwo\n").toString("base64") },
      { operation: "create", path: ".editorconfig", content: Buffer.from("[*.md]\nindent_style = tab\nindent_size = 8\n").toString("base64") },
    ];
    await alice.post("/repos/alice/r/contents", { branch: "main", message: "Add files", files }).expect(201);
    const path = "/alice/r/_edit/main/shown/readme.md";
    const form = await owner.get(path);
    expect(form.text).toMatch(/data-editor="\/-\/editor\/[0-9a-f]{16}\/editor\.js" data-indent="\t" data-tab-size="8"/);
    const shown = await owner.submit(form, path, {
      action: "preview",
      content: "# Two\n\ntwo\n\n<script>alert(1)</script>\n\n[other](other.md)\n",
      summary: "Kept",
    });
    const page = readPage(shown.text);
    expect([shown.status, page.dangers, shown.form(path).summary]).toEqual([200, [], "Kept"]);
    expect(page.text).toContain("Changes of shown/readme.md");
    expect(shown.text).toMatch(/class="removed"[\s\S]*# One[\s\S]*class="added"[\s\S]*# Two/);
    expect(page.links.map((link) => new URL(link, forge.url).pathname)).toContain("/alice/r/src/branch/main/shown/other.md");
    const { content } = await alice.get("/repos/alice/r/contents/shown/readme.md").expect(200);
    expect(Buffer.from(content, "base64").toString()).toBe("# One\n\ntwo\n");
    const fresh = "/alice/r/_new/main/shown";
    const added = await owner.submit(await owner.get(fresh), fresh, { action: "preview", path: "shown/a.js", content: "let a;\n" });
    expect(readPage(added.text).text).toContain("Changes of shown/a.js");
    expect(added.text).not.toContain("Preview of shown/a.js</h2>");
    expect((await owner.submit(added, fresh, { action: "commit" })).location).toBe("/alice/r/src/branch/main/shown/a.js");
  });

  test("are deleted", async () => {
    const path = "/alice/r/_delete/main/picture.bin";
    expect((await owner.submit(await owner.get(path), path)).location).toBe("/alice/r/src/branch/main");
    await alice.get("/repos/alice/r/contents/picture.bin").expect(404);
    expect((await owner.get(path)).status).toBe(404);
  });

  test("are uploaded unchanged, several in one request, into existing and new folders", async () => {
    const path = "/alice/r/_upload/main/lib";
    expect((await open("/alice/r/src/branch/main/lib")).links).toContain(path);
    const picture = Uint8Array.from([137, 80, 78, 71, 0, 255, 13, 10]);
    const files = [
      { field: "files", name: "a picture.png", content: picture },
      { field: "files", name: "first.txt", content: "from a browser\r\n" },
    ];
    const form = await owner.get(path);
    const done = await owner.upload(form, path, { folder: "/docs//pictures/", details: "Both." }, files);
    expect([done.status, done.location]).toEqual([303, "/alice/r/src/branch/main/docs/pictures"]);
    expect(await contentOf("docs/pictures/first.txt")).toBe("from a browser\r\n");
    const raw = await alice.get("/repos/alice/r/contents/docs/pictures/a%20picture.png").expect(200);
    expect(raw.content).toBe(Buffer.from(picture).toString("base64"));
    const [commit] = await alice.get("/repos/alice/r/commits?limit=1").expect(200);
    expect(commit.commit.message).toBe("Add 2 files\n\nBoth.\n");
    // Sending the same form again repeats the same upload.
    const again = await owner.upload(form, path, { folder: "/docs//pictures/", details: "Both." }, files);
    expect([again.status, (await alice.get("/repos/alice/r/commits?limit=1").expect(200))[0].sha]).toEqual([303, commit.sha]);
    const replaced = await owner.upload(await owner.get(path), path, { folder: "docs/pictures", target: "branch", new_branch: "pictures" }, [
      { field: "files", name: "first.txt", content: "again" },
    ]);
    expect(replaced.location).toBe("/alice/r/compare/main...pictures");
    expect(await contentOf("docs/pictures/first.txt", "pictures")).toBe("again");
  });

  test("files stay uploaded when their form is rejected", async () => {
    const path = "/alice/r/_upload/main";
    const image = "<img src=x onerror=alert(1)>";
    const nothing = await owner.submit(await owner.get(path), path, { files: "" });
    expect(nothing.status).toBe(422);
    const refused = await owner.upload(await owner.get(path), path, { folder: ".git/hooks", details: "Long story" }, [
      { field: "files", name: `${image}.txt`, content: "kept" },
    ]);
    expect([refused.status, readPage(refused.text).dangers, refused.text.includes("Long story")]).toEqual([422, [], true]);
    expect(readPage(refused.text).text).toContain("Already uploaded");
    const { kept = "" } = refused.form(path);
    expect((await owner.submit(refused, path, { folder: "safe" })).location).toBe("/alice/r/src/branch/main/safe");
    expect(await contentOf(`safe/${encodeURIComponent(`${image}.txt`)}`)).toBe("kept");
    // An upload token of one user and repository is invalid for others.
    await bob.post("/user/repos", { name: "own", auto_init: true, default_branch: "main" }).expect(201);
    const other = createBrowser(forge.url);
    await other.signIn(bob);
    const foreign = "/bob/own/_upload/main";
    const stolen = await other.submit(await other.get(foreign), foreign, { kept });
    expect([stolen.status, readPage(stolen.text).text.includes("Already uploaded")]).toEqual([422, false]);
  });

  test("files can only be uploaded with write access, from pages of this server, within limits and branch rules", async () => {
    const path = "/alice/r/_upload/main";
    const file = [{ field: "files", name: "x.txt", content: "x" }];
    const form = await owner.get(path);
    expect((await owner.upload(form, path, { _csrf: "" }, file)).status).toBe(403);
    const other = createBrowser(forge.url);
    await other.signIn(bob);
    expect([(await other.get(path)).status, (await other.upload(form, path, {}, file)).status]).toEqual([403, 403]);
    expect((await createBrowser(forge.url).upload(form, path, {}, file)).status).toBe(303);
    const huge = await owner.upload(await owner.get(path), path, {}, [{ field: "files", name: "x.bin", content: new Uint8Array(33 * 1024 * 1024) }]);
    expect(huge.status).toBe(413);
    await alice.post("/repos/alice/r/branch_protections", { rule_name: "main", enable_push: false }).expect(201);
    const refused = await owner.upload(await owner.get(path), path, { target: "direct" }, file);
    expect([refused.status, readPage(refused.text).text.includes("Already uploaded x.txt")]).toEqual([422, true]);
    await alice.delete("/repos/alice/r/branch_protections/main").expect(204);
    await alice.get("/repos/alice/r/contents/x.txt").expect(404);
  });

  test("can be created in an empty repository", async () => {
    await alice.post("/user/repos", { name: "fresh", default_branch: "main" }).expect(201);
    const path = "/alice/fresh/_upload/main";
    expect((await open("/alice/fresh")).links).toContain(path);
    const done = await owner.upload(await owner.get(path), path, {}, [{ field: "files", name: "one.txt", content: "1" }]);
    expect([done.status, (await open("/alice/fresh")).links.includes("/alice/fresh/src/branch/main/one.txt")]).toEqual([303, true]);
  });

  test("are deleted with their folder, unless one of them has changed", async () => {
    const path = "/alice/r/_delete/main/docs/pictures";
    const form = await owner.get(path);
    expect(readPage(form.text).text).toContain("All files in docs/pictures are deleted.");
    await alice.post("/repos/alice/r/contents/docs/pictures/late.txt", { content: "", message: "m" }).expect(201);
    expect((await owner.submit(form, path)).status).toBe(422);
    expect((await owner.submit(await owner.get(path), path)).location).toBe("/alice/r/src/branch/main");
    await alice.get("/repos/alice/r/contents/docs/pictures").expect(404);
    await alice.get("/repos/alice/r/contents/docs").expect(404);
    expect((await owner.get("/alice/r/_delete/main/")).status).toBe(404);
  });

  test("that a form would damage cannot be edited, but can be moved", async () => {
    expect((await owner.get("/alice/r/_edit/main/none.txt")).status).toBe(404);
    expect((await owner.get("/alice/r/_edit/main/lib")).status).toBe(404);
    const path = "/alice/r/_edit/main/latin.txt";
    const form = await owner.get(path);
    expect([form.form(path).content, form.form(path).path]).toEqual([undefined, "latin.txt"]);
    expect((await owner.submit(form, path, { content: "damage" })).status).toBe(422);
    expect((await owner.submit(form, path, { path: "old/latin.txt", content: "damage" })).location).toBe("/alice/r/src/branch/main/old/latin.txt");
    const moved = await alice.get("/repos/alice/r/contents/old/latin.txt").expect(200);
    expect(moved.content).toBe(Buffer.from("gr\xfc\xdfe\n", "latin1").toString("base64"));
    await alice.get("/repos/alice/r/contents/latin.txt").expect(404);
  });

  test("can only be changed with write access and within branch rules", async () => {
    const visitor = createBrowser(forge.url);
    expect((await visitor.get("/alice/r/_edit/main/dos.txt")).location).toMatch(/^\/user\/login/);
    const other = createBrowser(forge.url);
    await other.signIn(bob);
    const direct = await other.submit(await other.get("/alice/r/_edit/main/dos.txt"), "/alice/r/_edit/main/dos.txt", {
      content: "Long story",
      target: "direct",
    });
    expect([direct.status, direct.text.includes("Long story")]).toEqual([422, true]);
    expect((await owner.post("/alice/r/_delete/main/dos.txt", { seen: "x" })).status).toBe(403);
    await alice.post("/repos/alice/r/branch_protections", { rule_name: "main", enable_push: false }).expect(201);
    const form = await owner.get("/alice/r/_edit/main/dos.txt");
    const refused = await owner.submit(form, "/alice/r/_edit/main/dos.txt", { content: "Long story", target: "direct" });
    expect([refused.status, refused.text.includes("Long story")]).toEqual([422, true]);
    await alice.delete("/repos/alice/r/branch_protections/main").expect(204);
  });

  test("branches are created, renamed, deleted and restored", async () => {
    const path = "/alice/r/branches";
    const make = async (fields: Readonly<Record<string, string>>) => owner.submit(await owner.get(path), `${path}/create`, fields);
    expect((await make({ name: "side", from: "main" })).location).toBe(`${path}?saved=true`);
    const refused = await make({ name: "side", from: evil });
    expect([refused.status, refused.form(`${path}/create`).from, readPage(refused.text).dangers]).toEqual([422, evil, []]);
    const taken = await make({ name: "side", from: "" });
    expect([taken.status, taken.form(`${path}/create`).name]).toEqual([422, "side"]);
    const renaming = await owner.submit(await owner.get(path), `${path}/rename`, { name: "side", new_name: "my side" });
    expect([renaming.status, renaming.text.includes('value="my side"'), renaming.text.includes("It cannot contain spaces")]).toEqual([422, true, true]);
    await alice.post("/repos/alice/r/contents/side.txt", { content: "", message: "m", branch: "side" }).expect(201);
    await alice.post("/repos/alice/r/contents/main.txt", { content: "", message: "m", branch: "main" }).expect(201);
    expect((await open(path)).text).toContain("1 behind, 1 ahead");
    const again = await forge.cost(() => owner.get(path));
    expect([again.processes, again.statements.length]).toEqual([0, 16]);
    const { id } = (await alice.get("/repos/alice/r/branches/side").expect(200)).commit;

    const token = (await owner.get(path)).form(`${path}/create`)._csrf ?? "";
    const press = (what: string, fields: Readonly<Record<string, string>>, browser = owner) => browser.post(`${path}/${what}`, { _csrf: token, ...fields });
    expect((await press("rename", { name: "side", new_name: "way" })).location).toBe(`${path}?saved=true`);
    expect((await press("rename", { name: "way", new_name: "main" })).status).toBe(422);
    const gone = await press("delete", { name: "way" });
    await alice.get("/repos/alice/r/branches/way").expect(404);
    const after = await owner.get(gone.location ?? "");
    expect(readPage(after.text).text).toContain("Branch way deleted. Restore");
    expect((await owner.submit(after, `${path}/restore`)).location).toBe(`${path}?saved=restored`);
    expect((await alice.get("/repos/alice/r/branches/way").expect(200)).commit.id).toBe(id);
    // Only branches that were deleted here can be restored, and the default branch cannot be deleted.
    expect([(await press("restore", { id: evil })).status, (await press("delete", { name: "main" })).status]).toEqual([422, 422]);
    // It can be restored later too, and under another name if its own is in use.
    await press("delete", { name: "way" });
    expect((await open(path)).text).toMatch(/Recently deleted \(1\).* way .*alice deleted this/);
    await make({ name: "way", from: "main" });
    const [away] = await alice.get("/repos/alice/r/deleted_branches").expect(200);
    const inTheWay = await press("restore", { id: `${away.id}` });
    expect([inTheWay.status, inTheWay.text]).toEqual([422, expect.stringMatching(/id="restore-\d+-name-problem">[^<]*already exists/)]);
    expect((await press("restore", { id: `${away.id}`, name: "way/back" })).status).toBe(422);
    expect((await press("restore", { id: `${away.id}`, name: "way-back" })).location).toBe(`${path}?saved=restored`);
    expect((await alice.get("/repos/alice/r/branches/way-back").expect(200)).commit.id).toBe(id);
    await press("delete", { name: "way-back" });
    const [last] = await alice.get("/repos/alice/r/deleted_branches").expect(200);
    expect([(await press("forget", { id: `${last.id}` })).location, (await press("forget", { id: `${last.id}` })).status]).toEqual([
      `${path}?saved=deleted`,
      422,
    ]);
    const other = createBrowser(forge.url);
    await other.signIn(bob);
    expect([(await press("delete", { name: "way" }, other)).status, (await owner.post(`${path}/delete`, { name: "way" })).status]).toEqual([403, 403]);
    expect((await open(path, other)).text).not.toContain("New branch");
    await alice.post("/repos/alice/r/branch_protections", { rule_name: "way", enable_push: true }).expect(201);
    expect((await press("delete", { name: "way" })).status).toBe(422);
  });

  test("the page of branches shows the first own, active and stale ones, and links to all of each", async () => {
    await alice.post("/user/repos", { name: "grouped" }).expect(201);
    // Commits of these tests are older than 90 days.
    await push(client, alice, "alice/grouped", "main");
    const make = (name: string) => alice.post("/repos/alice/grouped/branches", { new_branch_name: name, old_ref_name: "main" }).expect(201);
    for (let count = 1; count <= 6; count += 1) await make(`old-${count}`);
    await make("fresh");
    await alice.post("/repos/alice/grouped/contents/new.txt", { content: "eA==", message: "Add it", branch: "fresh" }).expect(201);
    const path = "/alice/grouped/branches";
    const branchesOf = (page: ReadPage) => page.links.flatMap((link) => /^\/alice\/grouped\/src\/branch\/(.+)$/.exec(link)?.[1] ?? []);
    const visitor = await open(path, createBrowser(forge.url));
    expect(branchesOf(visitor)).toEqual(["main", "fresh", "old-1", "old-2", "old-3", "old-4", "old-5"]);
    expect(visitor.text).toMatch(/Default branch main .*Active branches fresh .*Stale branches old-1 .*View all 6 stale branches/);
    const own = await open(path);
    expect([own.dangers, branchesOf(own).length]).toEqual([[], 12]);
    expect(own.text).toMatch(/Your branches fresh .*View all 7 of your branches/);
    expect(own.links).toContain(`${path}?view=yours`);

    expect(branchesOf(await open(`${path}?view=stale`))).toHaveLength(6);
    expect(branchesOf(await open(`${path}?view=active`))).toEqual(["fresh"]);
    expect(branchesOf(await open(`${path}?view=yours`))).toHaveLength(7);
    expect(branchesOf(await open(`${path}?view=all`))).toHaveLength(8);
    expect(branchesOf(await open(`${path}?view=nonsense`))).toHaveLength(12);
    const none = await open(`${path}?view=yours`, createBrowser(forge.url));
    expect([none.text.includes("No branches in this list"), none.links.includes(path)]).toEqual([true, true]);
    const cost = await forge.cost(() => owner.get(path));
    expect([cost.processes, cost.statements.length]).toEqual([0, 16]);
  });

  test("branches are found by a part of their name, and link to their newest pull request", async () => {
    for (const name of ["find/Needle-1", "find/needle-2", "find/other"]) await alice.post("/repos/alice/r/branches", { new_branch_name: name }).expect(201);
    await alice.post("/repos/alice/r/contents/needle.txt", { content: "eA==", message: "Add it", branch: "find/needle-2" }).expect(201);
    const { number } = await alice.post<{ number: number }>("/repos/alice/r/pulls", { base: "main", head: "find/needle-2", title: "Needle" }).expect(201);
    const found = await open("/alice/r/branches?q=NEEDLE");
    const branchesOf = (page: ReadPage) => page.links.filter((link) => link.startsWith("/alice/r/src/branch/"));
    expect(branchesOf(found).sort()).toEqual(["/alice/r/src/branch/find/Needle-1", "/alice/r/src/branch/find/needle-2"]);
    expect(found.links).toContain(`/alice/r/pulls/${number}`);
    const none = await open("/alice/r/branches?q=nosuch%25_");
    expect([branchesOf(none), none.text.includes("No branches match")]).toEqual([[], true]);
    await alice.post(`/repos/alice/r/pulls/${number}/merge`, { Do: "merge" }).expect(200);
    expect((await owner.get("/alice/r/branches")).text).toContain(`aria-label="#${number}: Merged pull request"`);
  });

  test("a file shows its owners by the CODEOWNERS file of its commit", async () => {
    const text = "owned/.*\\.txt @bob @acme/docs\n!.*\\.txt @alice\n";
    const files = [
      ["CODEOWNERS", text],
      ["owned/a.txt", "a"],
      ["owned/b.md", "b"],
    ] as const;
    const changes = files.map(([path, content]) => ({ operation: "create", path, content: Buffer.from(content).toString("base64") }));
    await alice.post("/repos/alice/r/contents", { branch: "main", new_branch: "owners", message: "Add owners", files: changes }).expect(201);
    const textOf = async (path: string) => (await open(`/alice/r/src/branch/owners/${path}`)).text;
    expect(await textOf("owned/a.txt")).toMatch(/Owned by bob ?, acme\/docs/);
    expect(await textOf("owned/b.md")).toContain("Owned by alice");
    expect((await open("/alice/r/src/branch/main")).text).not.toContain("Owned by");
  });

  test("the branches and tags that contain a commit are listed", async () => {
    const [commit] = await alice.get<{ sha: string }[]>("/repos/alice/r/commits?sha=find/other&limit=1").expect(200);
    const path = `/alice/r/branch_commits/${commit?.sha}`;
    await alice.post("/repos/alice/r/tags", { tag_name: "contains/it", target: "find/other" }).expect(201);
    expect((await open(`/alice/r/commit/${commit?.sha}`)).links).toContain(path);
    const { result, processes } = await forge.cost(() => open(path));
    expect(processes).toBeLessThanOrEqual(1);
    expect(result.links).toEqual(expect.arrayContaining(["/alice/r/src/branch/find/other", "/alice/r/src/branch/main", "/alice/r/src/tag/contains/it"]));
    expect(result.links).not.toContain(expect.stringContaining("refs/pull"));
    await alice.delete("/repos/alice/r/tags/contains/it").expect(204);
    expect((await owner.get(`/alice/r/branch_commits/${"0".repeat(40)}`)).status).toBe(404);
  });

  test("tags are created and deleted; tags of releases are deleted with their release", async () => {
    const path = "/alice/r/tags";
    const form = await owner.get(path);
    const made = await owner.submit(form, `${path}/create`, { name: "v1", target: "main", message: `Says ${evil}\r\nmore` });
    expect(made.location).toBe(`${path}?saved=true`);
    expect((await open(path)).text).toContain(`Says ${evil}`);
    const refused = await owner.submit(form, `${path}/create`, { name: "v1", message: "Long story" });
    expect([refused.status, refused.form(`${path}/create`).message]).toEqual([422, "Long story"]);
    const page = await owner.get(path);
    expect((await owner.post(`${path}/delete`, { _csrf: page.form(`${path}/create`)._csrf ?? "", name: "v1" })).location).toBe(`${path}?saved=deleted`);
    await alice.post("/repos/alice/r/releases", { tag_name: "v2", target_commitish: "main" }).expect(201);
    expect((await owner.submit(await owner.get(path), `${path}/delete`)).status).toBe(422);
    expect((await owner.post(`${path}/delete`, { name: "v2" })).status).toBe(403);
    await alice.get("/repos/alice/r/tags/v2").expect(200);
  });

  test("show the author of each line", async () => {
    const page = await open("/alice/r/blame/branch/main/dos.txt");
    expect(page.text).toContain("Count");
    expect(page.links).toEqual(expect.arrayContaining(["#L2", "/alice/r/src/branch/main/dos.txt", "/alice/r/raw/branch/main/dos.txt"]));
    // Links to the version before the commit, with the earlier file name.
    const before = page.links.filter((link) => /^\/alice\/r\/blame\/commit\/[0-9a-f]{40}\/dos\.txt$/.test(link));
    expect(before).toHaveLength(1);
    expect((await open(before[0] ?? "")).text).not.toContain("Count");
    const moved = (await open("/alice/r/blame/branch/main/lib/a.ts")).links;
    expect(moved).toContainEqual(expect.stringMatching(/\/blame\/commit\/[0-9a-f]{40}\/src\/a%20b\.ts$/));
    expect((await owner.get("/alice/r/blame/branch/main/lib/a.ts")).text).toContain('<span class="hljs-keyword">const</span>');
    expect((await open("/alice/r/blame/branch/main/old/latin.txt")).status).toBe(200);
    for (const path of ["src/none", "lib"]) expect((await owner.get(`/alice/r/blame/branch/main/${path}`)).status).toBe(404);
  });

  test("can be searched by users who can read them", async () => {
    const found = await open("/alice/r/search?q=CONST+TWO");
    expect(found.links).toContain("/alice/r/src/branch/main/lib/a.ts?display=source#L2");
    expect((await open(`/alice/r/search?q=${encodeURIComponent(evil)}`)).text).toContain("No results");
    expect((await open("/alice/r/search?q=%23+new&ref=idea")).links).toContain("/alice/r/src/branch/idea/docs/new.md?display=source#L1");
    expect((await owner.get("/alice/r/search?q=const&ref=--open-files-in-pager")).status).toBe(404);
    expect((await open("/alice/r/search?q=x")).text).toContain("Enter at least two characters.");
    expect((await open("/alice/r/search?q=--open-files-in-pager%3Dtouch")).status).toBe(200);
    const visitor = createBrowser(forge.url);
    const [hidden, missing] = [await visitor.get("/alice/secret/search?q=read"), await visitor.get("/alice/nothing/search?q=read")];
    expect([hidden.status, timeless(hidden.text).replaceAll("secret", "nothing")]).toEqual([missing.status, timeless(missing.text)]);
    expect((await forge.cost(() => owner.get("/alice/r/search?q=const"))).processes).toBe(1);
  });
});
