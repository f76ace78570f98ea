import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createClient } from "../kit/git.ts";
import { type ReadPage, readPage, timeless } from "../kit/page.ts";
import { push } from "../kit/push.ts";

/** Code pages for visitors: they link to each other, contain no active content, and show everything that is visible to the visitor. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
const client = createClient();
afterAll(() => client.remove());
const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const notebook = {
  nbformat: 4,
  metadata: { language_info: { name: evil } },
  cells: [
    { cell_type: "markdown", source: ["# Soil\n", evil, "\n[x](javascript:alert(6)) ![far](https://far.example/x.png)"] },
    {
      cell_type: "code",
      execution_count: 1,
      source: `plot() # ${evil}`,
      outputs: [
        { output_type: "stream", name: "stdout", text: [`\u001b[31m${evil}`] },
        { output_type: "display_data", data: { "text/html": evil, "text/plain": `as text ${evil}` } },
        { output_type: "display_data", data: { "text/html": evil } },
        { output_type: "display_data", data: { "application/javascript": "alert(7)", "image/svg+xml": `<svg onload="alert(8)"/>` } },
        { output_type: "display_data", data: { "image/png": pixel.toString("base64"), "text/plain": evil } },
        { output_type: "display_data", data: { "image/png": Buffer.from(evil).toString("base64") } },
        { output_type: "error", traceback: [evil, { toString: 1 }] },
      ],
    },
    { cell_type: "raw", source: evil },
    { cell_type: evil, source: { not: "a text" } },
    7,
  ],
};
const first = client.commit({
  "README.md": "# Read me\n\n<script>alert(3)</script>\n\n[a](javascript:alert(4)) ![far](https://far.example/x.png)\n\n[code](src/main.ts#L2)\n",
  "src/main.ts": "const one = 1;\nconst two = 2; // </pre><script>alert(5)</script>\n",
  "src/deep/er/note.txt": "deep\n",
  [`${evil.replaceAll("/", "")}.txt`]: `${evil}\n`,
  "picture.bin": Buffer.from([0, 1, 2, 255]),
  "pixel.png": pixel,
  "drawing.svg": `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(9)</script></svg>\n`,
  "page.png": `<!doctype html>${evil}\n`,
  "beds.csv": `Bed,Plants\n${evil},"${evil.replaceAll('"', '""')}"\n`,
  "soil.ipynb": JSON.stringify(notebook),
  "broken.ipynb": `{"nbformat": 4, "cells": "${evil.replaceAll('"', "")}"}\n`,
  "empty.txt": "",
  "ünï cödé.txt": "words\n",
  LICENSE: "MIT\n",
});
const second = client.commit({ "src/main.ts": "const one = 1;\nconst two = 3;\n" }, { message: `${evil}\n\nwith a body ${evil}\n` });
client.git("branch", "feature/x", first);
client.git("tag", "-a", "-m", `tagged ${evil}`, "v1.0");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let visitor: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "r", description: `Things ${evil}` }).expect(201);
    await alice.post("/user/repos", { name: "empty" }).expect(201);
    await alice.post("/user/repos", { name: "secret", private: true, auto_init: true }).expect(201);
    await push(client, alice, "alice/r", "main", "feature/x", "v1.0");
    visitor = createBrowser(forge.url);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const open = async (path: string, browser = visitor): Promise<ReadPage & { readonly status: number }> => {
    const { status, text } = await browser.get(path);
    return { status, ...readPage(text) };
  };

  describe("code pages", () => {
    test("code pages link to each other, have one title and at most one heading, and contain no active content", async () => {
      const seen = new Map<string, number>();
      const waiting = ["/explore/repos"];
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        const here = new URL(path, forge.url);
        here.hash = "";
        const at = here.pathname + here.search;
        // The filters of lists combine without end.
        if (/\/(issues|pulls)$/.test(here.pathname) && here.search !== "") continue;
        if (seen.has(at) || here.origin !== new URL(forge.url).origin || here.pathname.startsWith("/api/")) continue;
        const answer = await visitor.get(at);
        seen.set(at, answer.status);
        expect([200, 303], at).toContain(answer.status);
        if (answer.location !== undefined) waiting.push(answer.location);
        if (answer.headers.get("content-type")?.startsWith("text/html") !== true) continue;
        const page = readPage(answer.text);
        expect(page.dangers, at).toEqual([]);
        expect(page.title, at).toMatch(/Hearth$/);
        expect(page.headings.length, at).toBeLessThanOrEqual(1);
        waiting.push(...page.links.filter((link) => link.startsWith("/")));
      }
      const paths = [...seen.keys()];
      for (const expected of [
        "/alice",
        "/alice/r",
        "/alice/empty",
        "/alice/r/src/branch/main/src/deep/er/note.txt",
        `/alice/r/src/branch/main/${encodeURIComponent("ünï cödé.txt")}`,
        "/alice/r/src/branch/feature/x",
        "/alice/r/src/tag/v1.0",
        "/alice/r/commits/branch/main",
        "/alice/r/commits/branch/main/src/main.ts",
        `/alice/r/commit/${first}`,
        `/alice/r/commit/${second}`,
        "/alice/r/branches",
        "/alice/r/tags",
        "/alice/r/archive/main.zip",
        "/alice/r/raw/branch/main/picture.bin",
      ])
        expect(paths).toContain(expected);
      expect(paths.filter((path) => path.includes("secret"))).toEqual([]);
    });

    test("show files rendered, highlighted, or with their type", async () => {
      const home = await open("/alice/r");
      expect(home.text).toContain("Read me");
      expect(home.text).toContain(`Things ${evil}`);
      expect(home.links).toContain("/alice/r/src/branch/main/src");
      expect(home.links.some((link) => link.endsWith("/alice/r/src/branch/main/src/main.ts#L2"))).toBe(true);
      expect((await open("/alice/r/src/branch/main/README.md?display=source")).text).toContain("# Read me");
      expect((await open("/alice/r/src/branch/feature/x/src/main.ts")).text).toContain("const two = 2; // </pre><script>alert(5)</script>");
      expect((await open("/alice/r/src/branch/main/picture.bin")).text).toContain("Binary file not shown.");
      expect((await open("/alice/r/src/branch/main/empty.txt")).text).toContain("This file is empty.");
    });

    test("code pages serve images of any content with a safe type and policy", async () => {
      const page = await visitor.get("/alice/r/src/branch/main/pixel.png");
      const picture = `/alice/r/raw/commit/${second}/pixel.png`;
      expect([page.text.includes(`<img src="${picture}"`), readPage(page.text).dangers]).toEqual([true, []]);
      const kinds = {
        "pixel.png": "image/png",
        "drawing.svg": "image/svg+xml",
        // The extension alone does not make it an image.
        "page.png": "text/plain; charset=utf-8",
        "picture.bin": "application/octet-stream",
      };
      for (const [name, type] of Object.entries(kinds)) {
        const { headers } = await visitor.get(`/alice/r/raw/branch/main/${name}`);
        expect([name, headers.get("content-type"), headers.get("x-content-type-options"), headers.get("content-security-policy")]).toEqual([
          name,
          type,
          "nosniff",
          "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ]);
      }
      expect((await alice.get("/repos/alice/r/raw/pixel.png")).headers.get("content-type")).toBe("application/octet-stream");
      expect((await open("/alice/r/src/branch/main/drawing.svg?display=source")).text).toContain("<script>alert(9)</script>");
    });

    test("code pages show HTML in tables and notebooks as text", async () => {
      expect((await open("/alice/r/src/branch/main/beds.csv")).dangers).toEqual([]);
      const page = await open("/alice/r/src/branch/main/soil.ipynb");
      expect(page.dangers).toEqual([]);
      for (const shown of ["Soil", `as text ${evil}`, "Output of type text/html is not shown.", "Output of type application/javascript is not shown."])
        expect(page.text).toContain(shown);
      expect(page.text).not.toContain("[31m");
      const { text } = await visitor.get("/alice/r/src/branch/main/soil.ipynb");
      const [, address = ""] = /<img src="([^"]*[/]notebook[/][^"]*)"/.exec(text) ?? [];
      const picture = await visitor.get(address);
      expect([picture.status, picture.headers.get("content-type"), picture.headers.get("content-security-policy")]).toEqual([
        200,
        "image/png",
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      ]);
      for (const other of [address.replace("picture=0", "picture=1"), address.replace("picture=0", "picture=-1"), address.replace("soil.ipynb", "pixel.png")])
        expect((await visitor.get(other)).status).toBe(404);
      expect((await open("/alice/r/src/branch/main/broken.ipynb")).text).toContain('"nbformat": 4');
      expect((await open("/alice/r/src/branch/main/soil.ipynb?display=source")).dangers).toEqual([]);
    });

    test("show the changes of a commit", async () => {
      const page = await open(`/alice/r/commit/${second}`);
      expect(page.headings).toEqual([evil]);
      expect(page.text).toContain("1 file changed+1 −1");
      expect(page.text).toContain("const two = 3;");
      expect((await open(`/alice/r/commit/${first}`)).text).toContain("14 files changed");
      const alone = await visitor.get(`/alice/r/commit/${second}?file=0&gap=0`);
      expect([alone.status, readPage(alone.text).links.includes(`/alice/r/commit/${second}`)]).toEqual([200, true]);
      for (const none of ["file=1", "parent=2", "parent=0"]) expect((await visitor.get(`/alice/r/commit/${second}?${none}`)).status, none).toBe(404);
      const split = `/alice/r/commit/${second}?style=split`;
      expect(page.links).toContain(split);
      const beside = (await visitor.get(split)).text;
      expect([beside.includes('class="diff split"'), /class="diff.*<span class="hljs-/s.test(beside)]).toEqual([true, true]);
    });

    test("a file that is too large to show lines between its changes has no further link to them", async () => {
      const large = createClient();
      try {
        const text = Array.from({ length: 60_000 }, (_, at) => `line ${at}\n`);
        large.commit({ "large.txt": text.join("") });
        const changed = large.commit({ "large.txt": text.with(30_000, "changed\n").join("") });
        await alice.post("/user/repos", { name: "large" }).expect(201);
        await push(large, alice, "alice/large", "main");
        const gaps = async (query: string) => (await open(`/alice/large/commit/${changed}${query}`)).links.filter((link) => /gap=\d/.test(link)).length;
        expect([await gaps(""), await gaps("?file=0&gap=0")]).toEqual([2, 0]);
      } finally {
        large.remove();
      }
    });

    test("show a large commit in parts, and a merge against each of its parents", async () => {
      const many = createClient();
      try {
        const long = (from: number): string => Array.from({ length: 1_600 }, (_, at) => `line ${from + at}\n`).join("");
        const before = many.commit({ "long.txt": long(0), "moved/here.txt": long(5).slice(0, 900), "old.png": pixel });
        const side = many.commit({ "side.txt": "side\n" });
        many.git("reset", "-q", "--soft", before);
        const files = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`src/${at % 3}/f${at}.ts`, `export const at = ${at};\n`]));
        const moved = { "side.txt": undefined, "moved/here.txt": undefined, "moved/there.txt": long(5).slice(0, 900) };
        const wide = many.commit({ ...files, ...moved, "long.txt": long(2_000), "old.png": Buffer.concat([pixel, pixel]) });
        const merge = many.git("commit-tree", "-m", "Join", "-p", wide, "-p", side, `${many.commit({ "side.txt": "side\n" })}^{tree}`);
        many.git("update-ref", "refs/heads/main", merge);
        await alice.post("/user/repos", { name: "many", private: true }).expect(201);
        await push(many, alice, "alice/many", "main");
        const reader = createBrowser(forge.url);
        await reader.signIn(alice);
        const path = `/alice/many/commit/${wide}`;
        expect((await visitor.get(path)).status).toBe(404);
        const one = await open(path, reader);
        for (const words of ["123 files changed", "Large diffs are not rendered by default.", "moved/here.txt → moved/there.txt", "1 / 2"])
          expect(one.text).toContain(words);
        expect(one.links).toEqual(expect.arrayContaining([`${path}?piece=2`, `${path}?whitespace=ignore-all`]));
        expect((await reader.get(path)).text).toContain(`src="/alice/many/media/commit/${before}/old.png"`);
        const two = await open(`${path}?piece=2`, reader);
        expect([one.text.includes("export const at = 119;"), two.text.includes("export const at = 119;")].sort()).toEqual([false, true]);
        const alone = one.links.find((link) => /\?file=\d+#file/.test(link)) ?? "";
        const begun = await open(alone, reader);
        const rest = begun.links.find((link) => /\?part=2&file=\d+$/.test(link)) ?? "";
        expect([begun.text.includes("- line 1599"), begun.text.includes("+ line 3599"), (await open(rest, reader)).text.includes("+ line 3599")]).toEqual([
          true,
          false,
          true,
        ]);
        const joined = await open(`/alice/many/commit/${merge}`, reader);
        expect([joined.text.includes("1 file changed"), joined.links]).toEqual([true, expect.arrayContaining([`/alice/many/commit/${side}`])]);
        expect((await open(`/alice/many/commit/${merge}?parent=2`, reader)).text).toContain("123 files changed");
        const costs = [await forge.cost(() => reader.get(`/alice/many/commit/${merge}`)), await forge.cost(() => reader.get(`${path}?piece=2`))];
        expect(costs.map(({ statements }) => statements.length)).toEqual([8, 8]);
      } finally {
        many.remove();
      }
    });

    test("are in the language that the browser requests", async () => {
      const { text } = await visitor.get("/alice/r", { "accept-language": "de-CH, en;q=0.5" });
      expect([readPage(text).language, readPage(text).text.includes("Über")]).toEqual(["de", true]);
    });

    test("show languages and the newest release of a repository, at a constant cost", async () => {
      await forge.settled();
      expect((await open("/alice/r")).text).toMatch(/Languages .*TypeScript \d/);
      const few = await forge.cost(() => visitor.get("/alice/r"));
      await alice.post("/repos/alice/r/releases", { tag_name: "v1.0", name: `First ${evil}`, body: "" }).expect(201);
      for (const name of ["v2", "v3"]) await alice.post("/repos/alice/r/releases", { tag_name: name, draft: true, target_commitish: "main" }).expect(201);
      const page = await open("/alice/r");
      expect([page.text.includes(`First ${evil} Latest`), page.links.includes("/alice/r/releases/tag/v1.0"), page.dangers]).toEqual([true, true, []]);
      const more = await forge.cost(() => visitor.get("/alice/r"));
      expect([few.statements.length, more.statements.length, more.processes]).toEqual([9, 10, 0]);
    });

    test("switch to another branch or tag at the same path, by a list and by name", async () => {
      const links = async (path: string): Promise<readonly string[]> => (await open(path)).links;
      for (const page of ["src", "blame", "commits"])
        expect(await links(`/alice/r/${page}/branch/main/src/main.ts`)).toEqual(
          expect.arrayContaining([`/alice/r/${page}/branch/feature/x/src/main.ts`, `/alice/r/${page}/tag/v1.0/src/main.ts`]),
        );
      expect(await links("/alice/r")).toEqual(expect.arrayContaining(["/alice/r/src/branch/main", "/alice/r/src/branch/feature/x", "/alice/r/src/tag/v1.0"]));
      const goTo = async (query: string) => (await visitor.get(`/alice/r/src?${query}`)).location;
      expect(await goTo("rev=feature/x&path=src/main.ts&page=blame")).toBe("/alice/r/blame/branch/feature/x/src/main.ts");
      expect(await goTo(`rev=${first.slice(0, 10)}&page=constructor`)).toBe(`/alice/r/src/commit/${first.slice(0, 10)}`);
      expect(await goTo("")).toBe("/alice/r/src/branch/main");
      expect((await visitor.get(`/alice/r/src?rev=${encodeURIComponent(evil)}`)).status).toBe(404);
      expect((await visitor.get("/alice/empty/src?rev=main")).location).toBe("/alice/empty");
      expect((await visitor.get("/alice/secret/src?rev=main")).status).toBe(404);
    });

    test("suggest other pages if a path does not exist", async () => {
      for (const page of ["src", "blame"]) {
        const { status, text, links } = await open(`/alice/r/${page}/branch/main/src/none.ts`);
        expect([status, text.includes("File not found"), links.includes(`/alice/r/${page}/branch/feature/x/src/none.ts`)]).toEqual([404, true, true]);
        expect(links).toContain("/alice/r/commits/branch/main/src/none.ts");
      }
    });

    test("answer a path with a NUL or a climbing segment with a page for browsers, and with text for programs", async () => {
      for (const path of ["/alice/r/src/branch/main/a%00b", "/alice/r/src/branch/main/..%2f..%2fx", `/alice/r/src/branch/${"x".repeat(5_000)}`]) {
        const page = await open(path);
        expect([page.status, page.headings]).toEqual([404, ["Not found"]]);
        const { status, text } = await createBrowser(forge.url).get(path, { accept: "application/json" });
        expect([status, text]).toEqual([404, "404 page not found\n"]);
      }
    });

    test("list commits under the days of their commit dates, with pictures of their authors", async () => {
      const { text } = await visitor.get("/alice/r/commits/branch/main");
      const day = new Date(Number(client.git("show", "-s", "--format=%ct", first)) * 1_000);
      const name = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }).format(day);
      expect(text.split("<h2>").length - 1).toBe(1);
      expect(text).toMatch(new RegExp(`<h2>.*Commits on ${name}</h2><ol class="commits box">.*/commit/${second}.*<img class="avatar".*/commit/${first}`, "s"));
    });

    test("draw the commit graph with branches and tags, from data that is read once", async () => {
      const page = await open("/alice/r/graph");
      expect([page.status, page.dangers, page.headings]).toEqual([200, [], ["Commit graph"]]);
      expect(page.links).toEqual(expect.arrayContaining([`/alice/r/commit/${first}`, "/alice/r/src/branch/feature/x", "/alice/r/src/tag/v1.0"]));
      const { text } = await visitor.get("/alice/r/graph");
      expect(text).toMatch(/<ol class="graph">(?:<li>.*<svg .*<path .*<circle .*<\/li>)/s);
      expect((await open("/alice/r/graph?branch=feature%2Fx")).links).not.toContain(`/alice/r/commit/${second}`);
      expect((await open("/alice/r/graph?branch=--output%3D%2Ftmp%2Fpwned")).status).toBe(404);
      for (const page of ["graph", "branches", "graphs/contributors", "search"]) {
        const empty = await open(`/alice/empty/${page}`);
        expect([page, empty.text.includes("Push a branch or create a file"), empty.links.includes("/alice/empty")]).toEqual([page, true, true]);
      }
      const again = await forge.cost(() => visitor.get("/alice/r/graph?limit=1&page=2"));
      expect([again.processes, again.statements.length]).toEqual([0, 8]);
    });

    test("list contributors with their numbers of commits", async () => {
      const page = await open("/alice/r/graphs/contributors");
      expect([page.status, page.dangers]).toEqual([200, []]);
      expect(page.text).toContain("2 commits by 1 person on main");
      expect((await visitor.get("/alice/r/graphs/contributors")).text).toMatch(/role="img" aria-label="Commits over time, from [A-Z][a-z]{2} \d/);
      const again = await forge.cost(() => visitor.get("/alice/r/graphs/contributors"));
      expect([again.processes, again.statements.length]).toEqual([0, 5]);
    });

    test("show recent activity of the units that the user can read", async () => {
      const page = await open("/alice/r/activity");
      expect([page.status, page.dangers, page.headings]).toEqual([200, [], ["Activity"]]);
      expect(page.text).toMatch(/Pushes 2 .*Others 1 .*alice pushed the branch/);
      expect((await visitor.get("/alice/r/activity?period=month")).text).toMatch(/role="img" aria-label="\d+ activities, by day"/);
      expect((await open(`/alice/r/activity?period=${encodeURIComponent(evil)}`)).status).toBe(200);
      const { statements } = await forge.cost(() => visitor.get("/alice/r/activity?period=year"));
      expect(statements).toHaveLength(7);
      await alice.post("/user/repos", { name: "noted" }).expect(201);
      await alice.post("/repos/alice/noted/issues", { title: "One" }).expect(201);
      expect((await open("/alice/noted/activity")).text).toContain("Issues opened 1");
      await alice.patch("/repos/alice/noted", { has_issues: false }).expect(200);
      expect((await open("/alice/noted/activity")).text).not.toContain("Issues opened");
    });

    test("find repositories by a search word", async () => {
      expect((await open("/explore/repos?q=things")).links).toContain("/alice/r");
      const kinds = ["source", "fork", "mirror", "template", "archived", "strange"];
      const shown = await Promise.all(kinds.map(async (kind) => (await open(`/explore/repos?q=things&kind=${kind}`)).links.includes("/alice/r")));
      expect(shown).toEqual([true, false, false, false, false, true]);
      const nothing = await open(`/explore/repos?q=${encodeURIComponent(evil)}x`);
      expect([nothing.status, nothing.text.includes("No results"), nothing.dangers]).toEqual([200, true, []]);
    });

    test("list own repositories first, or public ones for visitors", async () => {
      expect(await open("/")).toMatchObject({ status: 200, headings: ["Explore"] });
      const owner = createBrowser(forge.url);
      await owner.signIn(alice);
      const home = await open("/", owner);
      expect(home.headings).toEqual(["Dashboard"]);
      expect(home.links).toEqual(expect.arrayContaining(["/alice/r", "/alice/secret", "/alice/empty"]));
    });

    test("explain how to start in an empty repository, and lead anonymous visitors of a hidden one to the sign-in page", async () => {
      expect((await open("/alice/empty")).text).toContain(`git remote add origin ${forge.url}/alice/empty.git`);
      const [hidden, missing] = [await visitor.get("/alice/secret"), await visitor.get("/alice/nothing")];
      expect([hidden.status, hidden.location?.replace("secret", "nothing")]).toEqual([missing.status, missing.location]);
      expect(timeless(hidden.text).replaceAll("secret", "nothing")).toBe(timeless(missing.text));
      const owner = createBrowser(forge.url);
      await owner.signIn(alice);
      expect((await open("/alice/secret", owner)).text).toContain("Private");
    });

    test.each(["/nobody", "/alice/r/src/branch/none/x", "/alice/r/src/branch/main/none", `/alice/r/commit/${"0".repeat(40)}`, "/alice/r/commits/branch/none"])(
      "return 404 for %s",
      async (path) => {
        const page = await open(path);
        expect([page.status, page.dangers]).toEqual([404, []]);
      },
    );
  });

  test("a blame leaves out the commits that the repository lists, unless the reader asks for them, and marks the age of lines", async () => {
    const added = client.commit({ "poem.txt": "one\ntwo\nthree\n" }, { message: "Write it" });
    const formatted = client.commit({ "poem.txt": "one\nTWO\nthree\n" }, { message: "Format it" });
    await alice.post("/user/repos", { name: "formatted" }).expect(201);
    const at = "/alice/formatted/blame/branch/main/poem.txt";
    const commits = async (path: string): Promise<readonly string[]> =>
      [...new Set((await open(path)).links.flatMap((link) => /\/commit\/([0-9a-f]{40})$/.exec(link)?.[1] ?? []))].sort();
    await push(client, alice, "alice/formatted", `${formatted}:refs/heads/main`);
    expect(await commits(at)).toEqual([added, formatted].sort());
    expect((await visitor.get(at)).text).toMatch(/class="by age-[0-4]"/);
    const unknown = Array.from({ length: 2_500 }, (_, at) => at.toString(16).padStart(40, "0")).join("\n");
    const lists = client.commit({ ".git-blame-ignore-revs": `# Formatting\n${formatted} # all\nHEAD\n${unknown}\n` }, { message: "List it" });
    await push(client, alice, "alice/formatted", `${lists}:refs/heads/main`);
    expect(await commits(at)).toEqual([added]);
    expect((await open(at)).text).toContain("Some commits are ignored.");
    expect((await open(at)).links).toContain(`${at}?ignore_revs=false`);
    expect(await commits(`${at}?ignore_revs=false`)).toEqual([added, formatted].sort());
    client.git("reset", "-q", "--hard", second);
  });

  test("a file page shows the last commit of the file, its lines, size and language, and the tree around it", async () => {
    const page = await open("/alice/r/src/branch/main/src/main.ts");
    expect(page.text).toContain("2 lines · 30 B · TypeScript");
    expect(page.links.filter((link) => link.startsWith("/alice/r/commit/"))).toEqual([`/alice/r/commit/${second}`, `/alice/r/commit/${second}`]);
    expect(page.links).toEqual(
      expect.arrayContaining(["/alice/r/src/branch/main/src", "/alice/r/src/branch/main/src/deep", "/alice/r/src/branch/main/LICENSE"]),
    );
    expect(page.links).toContain("/alice/r/commits/branch/main/src/main.ts");
    const other = await open("/alice/r/src/branch/main/src/deep/er/note.txt");
    expect(other.links.filter((link) => link.startsWith("/alice/r/commit/"))).toEqual([`/alice/r/commit/${first}`, `/alice/r/commit/${first}`]);
    for (const cookie of ["hearth_tree=7", "hearth_tree=-closed", "hearth_tree=77;a", `hearth_tree="><script>`])
      expect([cookie, readPage((await visitor.get("/alice/r/src/branch/main/src/main.ts", { cookie })).text).dangers]).toEqual([cookie, []]);
  });

  test("the page of a repository counts its branches, tags and commits, and joins folders that contain nothing but a folder", async () => {
    const home = await open("/alice/r");
    expect(home.text).toMatch(/ 2 branches 1 tag .* 2 commits /);
    expect([home.links.includes("/alice/r/branches"), home.links.includes("/alice/r/tags")]).toEqual([true, true]);
    const folder = await open("/alice/r/src/branch/main/src");
    expect(folder.text).toContain(" deep/er ");
    expect(folder.links).toContain("/alice/r/src/branch/main/src/deep/er");
    // The whole folder last changed with the second commit, and the joined folders with the first one.
    expect(folder.links).toEqual(expect.arrayContaining([`/alice/r/commit/${first}`, `/alice/r/commit/${second}`]));
    const deep = await open("/alice/r/src/branch/main/src/deep");
    expect(deep.links).toContain(`/alice/r/commit/${first}`);
    expect(deep.links).not.toContain(`/alice/r/commit/${second}`);
  });

  test("the page of a repository shows the author's account and the state of the checks of its last commit", async () => {
    await alice.post("/user/repos", { name: "checked", auto_init: true }).expect(201);
    const states = async (): Promise<readonly (string | undefined)[]> => {
      const { text } = await visitor.get("/alice/checked");
      return [/aria-label="(\d+ checks?: \w+)"/.exec(text)?.[1], /<header class="latest">.*?href="(.*?)"/.exec(text)?.[1]];
    };
    const seen = [await states()];
    const [{ sha } = { sha: "" }] = await alice.get<{ sha: string }[]>("/repos/alice/checked/commits").expect(200);
    for (const [context, state] of [
      ["lint", "success"],
      ["build", "pending"],
      ["build", "failure"],
    ]) {
      await alice.post(`/repos/alice/checked/statuses/${sha}`, { context, state }).expect(200);
      seen.push(await states());
    }
    expect(seen).toEqual([undefined, "1 check: passed", "2 checks: pending", "2 checks: failed"].map((checks) => [checks, "/alice"]));
  });

  test("files are found by characters of their path, in order, at each branch and tag", async () => {
    const found = async (path: string): Promise<readonly string[]> => {
      const page = await open(path);
      expect(page.status).toBe(200);
      return page.links.flatMap((link) => /\/src\/(?:branch|tag)\/[^/]+\/(.+)$/.exec(link)?.[1] ?? []);
    };
    expect(await found("/alice/r/find/branch/main?q=er%2Fnote")).toEqual(["src/deep/er/note.txt"]);
    expect(await found("/alice/r/find/tag/v1.0?q=S%20mts")).toEqual(["src/main.ts"]);
    expect(await found("/alice/r/find/branch/main?q=nothing-like-it")).toEqual([]);
    const all = await found("/alice/r/find/branch/main");
    expect([all.length, all.includes("src/main.ts"), all.includes("src")]).toEqual([14, true, false]);
    for (const path of ["/alice/r/find/branch/none", "/alice/r/find/branch/main/src", "/alice/r/find/main", "/alice/secret/find/branch/main"])
      expect([path, (await open(path)).status]).toEqual([path, 404]);
  });

  test("a directory of any size is paginated: folders first, and its README on the first page", async () => {
    const blob = client.git("rev-parse", `${first}:LICENSE`);
    const folder = client.git("rev-parse", `${first}:src`);
    const lines = [
      ...Array.from({ length: 10_499 }, (_, index) => `100644 blob ${blob}\tfile-${String(index).padStart(5, "0")}`),
      `100644 blob ${client.git("rev-parse", `${first}:README.md`)}\tREADME.md`,
      `040000 tree ${folder}\tzone`,
    ];
    const tree = client
      .pipe(`${lines.join("\n")}\n`, "mktree")
      .toString()
      .trim();
    await alice.post("/user/repos", { name: "wide" }).expect(201);
    await push(client, alice, "alice/wide", `${client.git("commit-tree", "-m", "many", tree)}:refs/heads/main`);
    const read = async (path: string) => {
      const { text } = await visitor.get(path);
      const page = readPage(text);
      return {
        names: [...new Set(page.links.flatMap((link) => /^\/alice\/wide\/src\/branch\/main\/(file-\d+|README\.md|zone)$/.exec(link)?.[1] ?? []))],
        others: [...new Set(page.links.filter((link) => link.includes("page=")))].sort(),
        isExplained: page.text.includes("Read me"),
      };
    };
    const at = "/alice/wide/src/branch/main";
    const [home, last, beyond] = [await read("/alice/wide"), await read(`${at}?page=22`), await read(`${at}?page=23`)];
    expect([home.names.length, home.names.slice(0, 3), home.others, home.isExplained]).toEqual([
      500,
      ["zone", "README.md", "file-00000"],
      [`${at}?page=2`, `${at}?page=22`],
      true,
    ]);
    expect([last.names.length, last.names.at(-1), last.others, last.isExplained]).toEqual([1, "file-10498", [`${at}?page=21`], false]);
    expect([beyond.names, beyond.others]).toEqual([[], [`${at}?page=22`]]);
  });
});
