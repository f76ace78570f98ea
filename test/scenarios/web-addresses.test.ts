import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { editorPath } from "../../src/ui/editor-bundle.ts";
import { createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";

/** URLs outside the API that users, scripts and other programs know. */

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let blob: string;
  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    fetch(forge.url + path, { method, headers, redirect: "manual" });
  const location = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await get(path, headers);
    return [answer.status, answer.headers.get("location")];
  };

  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "r", auto_init: true }).expect(201);
    const made = await alice.post("/repos/alice/r/contents/folder/a.txt", { content: Buffer.from("text\n").toString("base64") }).expect(201);
    blob = made.content.sha;
    await alice.post("/repos/alice/r/branches", { new_branch_name: "feature/x" }).expect(201);
    for (const tag_name of ["v1", "v2"]) await alice.post("/repos/alice/r/tags", { tag_name }).expect(201);
    await alice.post("/user/repos", { name: "hidden", private: true, auto_init: true }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  describe("of a repository", () => {
    test.each([
      ["/alice/r.git", "/alice/r"],
      ["/ALICE/R.git", "/alice/r"],
      ["/alice/r/commits/main", "/alice/r/commits/branch/main"],
      ["/alice/r/commits/feature/x/folder", "/alice/r/commits/branch/feature/x/folder"],
      ["/alice/r/commits/v1", "/alice/r/commits/tag/v1"],
      ["/alice/r/tree/main", "/alice/r/src/branch/main"],
      ["/alice/r/tree/v1/folder", "/alice/r/src/tag/v1/folder"],
      ["/alice/r/blob/feature/x/folder/a.txt", "/alice/r/src/branch/feature/x/folder/a.txt"],
      ["/alice/r/src/HEAD/folder", "/alice/r/src/branch/HEAD/folder"],
      ["/alice/r/src/folder/a.txt", "/alice/r/src/branch/main/folder/a.txt"],
      ["/alice/r/raw/folder/a.txt", "/alice/r/raw/branch/main/folder/a.txt"],
    ])("%s redirects to %s", async (path, expected) => {
      expect(await location(path)).toEqual([303, expected]);
      expect((await get(expected)).status).toBe(200);
    });

    test("leads from the clone address with a path behind it to the same path of the repository", async () => {
      expect(await location("/alice/r.git/src/branch/main/folder?display=source")).toEqual([301, "/alice/r/src/branch/main/folder?display=source"]);
      for (const path of ["issues", "commit/main.diff", "archive/main.zip"]) expect(await location(`/alice/r.git/${path}`)).toEqual([301, `/alice/r/${path}`]);
      expect((await get("/alice/r.git/info/refs?service=git-upload-pack")).status).toBe(200);
    });

    test("lists the names of all branches and tags", async () => {
      for (const [path, results] of [
        ["/alice/r/branches/list", ["feature/x", "main"]],
        ["/alice/r/tags/list", ["v1", "v2"]],
      ] as const) {
        const answer = await get(path);
        expect([answer.status, answer.headers.get("content-type"), await answer.json()]).toEqual([200, "application/json;charset=utf-8", { results }]);
      }
    });

    test("serves a blob by its id", async () => {
      for (const prefix of ["raw", "media"]) {
        const answer = await get(`/alice/r/${prefix}/blob/${blob}`);
        expect([answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([200, `"${blob}"`, "text\n"]);
        expect((await get(`/alice/r/${prefix}/blob/${"f".repeat(40)}`)).status).toBe(404);
        expect((await get(`/alice/hidden/${prefix}/blob/${blob}`)).status).toBe(404);
      }
    });

    test("are not found in any of these forms when the repository is hidden", async () => {
      for (const below of [".git", "/commits/main", "/tree/main", "/blob/main/README.md", "/raw/README.md", "/branches/list", "/tags/list"]) {
        const [hidden, absent] = await Promise.all(["hidden", "absent"].map(async (name) => get(`/alice/${name}${below}`)));
        expect([below, hidden?.status, await hidden?.text()]).toEqual([below, 404, await absent?.text()]);
      }
    });
  });

  describe("of the site", () => {
    test.each([
      ["/favicon.ico", "/assets/img/favicon.png"],
      ["/.well-known/change-password", "/user/settings/account"],
      ["/explore", "/explore/repos"],
      ["/user/logout", "/"],
      [`/avatar/${"A".repeat(32)}?size=64`, `/avatars/${"a".repeat(32)}?size=64`],
    ])("%s redirects to %s", async (path, expected) => {
      expect(await location(path)).toEqual([303, expected]);
    });

    test("a GET request to the sign-out URL ends no session", async () => {
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      expect((await browser.get("/user/logout", { "sec-fetch-site": "cross-site" })).location).toBe("/");
      expect((await browser.get("/user/settings")).status).toBe(200);
    });

    test("serve icons under the names that programs know", async () => {
      for (const [name, type, beginning] of [
        ["logo.svg", "image/svg+xml", "<svg"],
        ["favicon.png", "image/png", "\x89PNG"],
        ["avatar_default.png", "image/png", "\x89PNG"],
      ] as const) {
        const answer = await get(`/assets/img/${name}`);
        const content = Buffer.from(await answer.arrayBuffer()).toString("latin1");
        expect([name, answer.status, answer.headers.get("content-type"), content.startsWith(beginning)]).toEqual([name, 200, type, true]);
      }
      expect((await get("/assets/img/none.png")).status).toBe(404);
    });

    test("style sheets, scripts, the editor and the library of diagrams of another version are the present ones, which browsers do not keep", async () => {
      const home = await (await get("/")).text();
      const frame = await (await get("/-/diagram")).text();
      for (const [text, address, unknown] of [
        [home, /\/assets\/hearth-([0-9a-f]{16})\.css/, "/assets/other.css"],
        [home, /\/assets\/scripts-([0-9a-f]{16})\/main-en\.js/, `/assets/scripts-${"0".repeat(16)}/other.js`],
        [await editorPath(), /\/-\/editor\/([0-9a-f]{16})\/editor\.js/, `/-/editor/${"0".repeat(16)}/other.js`],
        [frame, /\/-\/diagram\/mermaid-([0-9a-f]{16})\.js/, "/-/diagram/other.js"],
      ] as const) {
        const [path = "", digest = ""] = address.exec(text) ?? [];
        const [own, other] = [await get(path), await get(path.replace(digest, "0".repeat(16)))];
        expect([path, own.status, own.headers.get("cache-control")]).toEqual([path, 200, "public, max-age=31536000, immutable"]);
        expect([path, other.status, other.headers.get("cache-control")]).toEqual([path, 200, "no-store"]);
        expect(await other.text()).toBe(await own.text());
        expect([unknown, (await get(unknown)).status]).toEqual([unknown, 404]);
      }
    });

    test("advertise the AGit flow", async () => {
      expect(await (await get("/ssh_info")).json()).toEqual({ type: "agit", version: 1 });
    });
  });

  test("redirect feed readers from pages of users and repositories to the feed", async () => {
    for (const page of ["/alice", "/alice/r"]) {
      expect(await location(page, { accept: "application/rss+xml" })).toEqual([303, `${page}.rss`]);
      expect(await location(page, { accept: "application/atom+xml, */*;q=0.1" })).toEqual([303, `${page}.atom`]);
      expect((await get(page, { accept: "*/*" })).headers.get("content-type")).toContain("text/html");
    }
    for (const page of ["/alice/hidden", "/nosuch"]) expect((await get(page, { accept: "application/rss+xml" })).status).toBe(404);
  });

  test("a missing page is text for programs and HTML for browsers", async () => {
    for (const path of ["/nosuch", "/alice/nosuch", "/alice/r/src/branch/nosuch/x", "/a/b/c/d/e"]) {
      for (const headers of [{}, { accept: "*/*" }]) {
        const answer = await get(path, headers);
        expect([path, answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
          path,
          404,
          "text/plain; charset=utf-8",
          "Not found.\n",
        ]);
      }
      const page = await get(path, { accept: "text/html" });
      expect([path, page.status, page.headers.get("content-type")]).toEqual([path, 404, "text/html; charset=utf-8"]);
    }
  });

  test("a method that a page does not support is rejected with Allow", async () => {
    for (const path of ["/alice/r", "/explore/repos", "/alice/hidden", "/nosuch/r"]) {
      const answer = await get(path, {}, "OPTIONS");
      expect([path, answer.status, answer.headers.get("allow"), await answer.text()]).toEqual([path, 405, "GET, HEAD", ""]);
    }
  });
});
