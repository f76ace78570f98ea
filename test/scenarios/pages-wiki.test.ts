import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { type ReadPage, readPage, timeless } from "../kit/page.ts";

/** Wiki pages without JavaScript. One dialect is enough. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

describe("wiki pages", () => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let owner: Browser;
  const visitor = (): Browser => createBrowser(forge.url);
  beforeAll(async () => {
    forge = await startForge({ dialect: sqlite });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "r", auto_init: true }).expect(201);
    await alice.post("/user/repos", { name: "secret", private: true, auto_init: true }).expect(201);
    owner = createBrowser(forge.url);
    await owner.signIn(alice);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const open = async (path: string, browser = visitor()): Promise<ReadPage & { readonly status: number }> => {
    const { status, text } = await browser.get(path);
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    expect(page.headings.length, path).toBeLessThanOrEqual(1);
    return { status, ...page };
  };
  const write = async (title: string, content: string) =>
    owner.post("/alice/r/wiki?action=_new", { ...(await owner.get("/alice/r/wiki?action=_new")).form("/alice/r/wiki?action=_new"), title, content });

  test("start empty, and are created, read, edited, renamed and deleted", async () => {
    expect((await open("/alice/r/wiki")).text).toContain("No wiki pages yet");
    const made = await write("Home", `# Begin\n\n[[Other page]] ${evil}\n`);
    expect([made.status, made.location]).toEqual([303, "/alice/r/wiki/Home"]);
    await write(`Odd & "quoted"/name`, "words");
    await write("_Sidebar", "Beside **all**");
    await write("_Footer", "Below all");
    const home = await open("/alice/r/wiki");
    for (const words of ["Begin", "Other page", "Beside all", "Below all", "1 revision"]) expect(home.text).toContain(words);
    const pages = await open("/alice/r/wiki?action=_pages");
    const odd = pages.links.find((link) => link.includes("Odd")) ?? "";
    expect((await open(odd)).headings).toEqual([`Odd & "quoted"/name`]);
    const form = await owner.get("/alice/r/wiki/Home?action=_edit");
    const changed = await owner.submit(form, "/alice/r/wiki/Home?action=_edit", { title: "Start", content: "Now\r\nthis", message: "Say it better" });
    expect(changed.location).toBe("/alice/r/wiki/Start");
    expect((await open("/alice/r/wiki/Home")).status).toBe(404);
    expect((await open("/alice/r/wiki/Start?action=_revision")).text).toContain("Say it better");
    const stored = await alice.get("/repos/alice/r/wiki/page/Start").expect(200);
    expect(Buffer.from(stored.content_base64, "base64").toString()).toBe("Now\nthis");
    const last = await owner.get("/alice/r/wiki/Start?action=_edit");
    expect((await owner.submit(last, "/alice/r/wiki/Start?action=_delete")).location).toBe("/alice/r/wiki?saved=deleted");
    expect((await open("/alice/r/wiki")).text).not.toContain("Start");
  });

  test("are listed beside each page, and found by their titles and lines", async () => {
    await write("Bulbs", "Plant the **tulips** in autumn.\n\nTulips need sun.\n");
    await write("Tulips", "See [[Bulbs]].");
    await write("_Footer", "No tulips here");
    const page = await open("/alice/r/wiki/Tulips");
    expect(page.links).toEqual(expect.arrayContaining(["/alice/r/wiki/Bulbs", "/alice/r/wiki/Tulips"]));
    const found = await open("/alice/r/wiki?action=_search&q=TULIPS");
    expect(found.headings).toEqual(["Wiki pages with “TULIPS”"]);
    // Titles come first, and the footer is no page of its own.
    expect(found.links.filter((link) => /wiki\/[A-Z_]/.test(link))).toEqual(["/alice/r/wiki/Tulips", "/alice/r/wiki/Bulbs"]);
    expect(found.text).toContain("Plant the **tulips** in autumn.");
    expect((await open("/alice/r/wiki?action=_search&q=nowhere%20at%20all")).text).toContain("No results");
    expect((await open("/alice/r/wiki?action=_search&q=t")).text).toContain("Enter at least 2 characters.");
    for (const odd of ["%00%00", "-e", "%0A%0A", evil]) expect((await visitor().get(`/alice/r/wiki?action=_search&q=${odd}`)).status).toBeLessThan(500);
    expect((await visitor().get("/alice/secret/wiki?action=_search&q=tulips")).status).toBe(404);
  });

  test("show their former versions and compare two of them", async () => {
    await write("Soil", "sand\nclay\n");
    const edit = "/alice/r/wiki/Soil?action=_edit";
    await owner.submit(await owner.get(edit), edit, { content: "sand\nloam\n", message: "Better soil" });
    await write("Later", "another page");
    const history = await open("/alice/r/wiki/Soil?action=_revision");
    const [newer = "", older = ""] = history.links.flatMap((link) => /action=_view&at=([0-9a-f]{40})$/.exec(link)?.[1] ?? []);
    const former = await open(`/alice/r/wiki/Soil?action=_view&at=${older}`);
    expect([former.status, former.headings, former.text.includes("clay"), former.text.includes("loam")]).toEqual([
      200,
      ["Former version of Soil"],
      true,
      false,
    ]);
    const form = (await visitor().get("/alice/r/wiki/Soil?action=_revision")).form("/alice/r/wiki/Soil");
    expect(form).toEqual({ action: "_compare", from: older, to: newer });
    const compared = (await visitor().get(`/alice/r/wiki/Soil?action=_compare&from=${older}&to=${newer}`)).text;
    expect(compared).toMatch(/<del>clay/);
    expect(compared).toMatch(/<ins>loam/);
    expect((await open(`/alice/r/wiki/Soil?action=_compare&from=${newer}&to=${newer}`)).text).toContain("The text is the same in both revisions.");
    const code = await alice.get<{ commit: { id: string } }>("/repos/alice/r/branches/main").expect(200);
    for (const other of ["", "main", "0".repeat(40), code.commit.id, newer.slice(0, 10)])
      for (const query of [`_view&at=${other}`, `_compare&from=${other}&to=${newer}`])
        expect([query, (await visitor().get(`/alice/r/wiki/Soil?action=${query}`)).status]).toEqual([query, 404]);
  });

  test("that do not exist are created from a link to them", async () => {
    const missing = await owner.get("/alice/r/wiki/Not-yet-written");
    const write = "/alice/r/wiki?action=_new&title=Not+yet+written";
    expect([missing.status, readPage(missing.text).headings, readPage(missing.text).links.includes(write)]).toEqual([
      404,
      ["The page “Not yet written” does not exist"],
      true,
    ]);
    expect((await owner.get(write)).form("/alice/r/wiki?action=_new").title).toBe("Not yet written");
    const reader = await visitor().get(`/alice/r/wiki/${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect([reader.status, readPage(reader.text).dangers, readPage(reader.text).links.some((link) => link.includes("_new"))]).toEqual([404, [], false]);
  });

  test("keep the input of a form after an error and after a concurrent change", async () => {
    await write("Shared", "first");
    const refused = await write("Shared", "Long words");
    expect([refused.status, refused.text.includes("Long words")]).toEqual([422, true]);
    expect(refused.text).toContain('id="title-problem">A page with this title already exists.');
    const form = await owner.get("/alice/r/wiki/Shared?action=_edit");
    await alice.patch("/repos/alice/r/wiki/page/Shared", { content_base64: Buffer.from("theirs").toString("base64") }).expect(200);
    const path = "/alice/r/wiki/Shared?action=_edit";
    const late = await owner.submit(form, path, { title: "Shared", content: "mine" });
    expect([late.status, late.text.includes("mine"), late.text.includes("theirs")]).toEqual([422, true, true]);
    expect((await owner.submit(late, path, { title: "Shared", content: "both" })).status).toBe(303);
    const stored = await alice.get("/repos/alice/r/wiki/page/Shared").expect(200);
    expect(Buffer.from(stored.content_base64, "base64").toString()).toBe("both");
  });

  test("can only be edited with write access", async () => {
    await write("Guarded", "text");
    const other = createBrowser(forge.url);
    await other.signIn(bob);
    expect((await visitor().get("/alice/r/wiki?action=_new")).location).toMatch(/^\/user\/login/);
    expect((await other.get("/alice/r/wiki/Guarded?action=_edit")).status).toBe(403);
    const token = /name="_csrf" value="([^"]+)"/.exec((await other.get("/user/sessions")).text)?.[1] ?? "";
    expect((await other.post("/alice/r/wiki/Guarded?action=_delete", { _csrf: token })).status).toBe(403);
    expect((await owner.post("/alice/r/wiki/Guarded?action=_delete", {})).status).toBe(403);
    expect((await open("/alice/r/wiki/Guarded")).links.filter((link) => link.includes("_edit"))).toEqual([]);
    const [hidden, missing] = [await visitor().get("/alice/secret/wiki"), await visitor().get("/alice/nothing/wiki")];
    expect([hidden.status, timeless(hidden.text).replaceAll("secret", "nothing")]).toEqual([missing.status, timeless(missing.text)]);
    await alice.patch("/repos/alice/secret", { has_wiki: false }).expect(200);
    expect((await owner.get("/alice/secret/wiki")).status).toBe(404);
    expect(readPage((await owner.get("/alice/secret")).text).links).not.toContain("/alice/secret/wiki");
  });
});
