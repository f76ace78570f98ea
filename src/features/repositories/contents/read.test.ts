import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";

const client = createClient();
afterAll(() => client.remove());

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"4d".repeat(32)}\nsize 12345\n`;
const odd = "line\nbreak \u001b[31m 'q\" ünï.txt";
const binary = Buffer.from([...Array(256).keys()]);
const large = Buffer.from("0123456789abcdef\n".repeat(70_000));
client.commit({
  "README.md": "# Hello\n",
  "src/a.js": "a\n",
  "src/deep/b.js": "b\n",
  "lfs.ptr": pointer,
  [odd]: "odd\n",
  "bin.dat": binary,
  "large.txt": large,
});
const linkOid = client.pipe("src/a.js", "hash-object", "-w", "--stdin").toString().trim();
const submoduleOid = "87e01a38f585df7d4f40110cc6be9b2f42ed08b3";
client.git("update-index", "--add", "--cacheinfo", `120000,${linkOid},link`);
client.git("update-index", "--add", "--cacheinfo", `160000,${submoduleOid},sub`);
const bytesName = Buffer.from("bytes-\xff\xfe.txt", "latin1");
client.pipe(Buffer.concat([Buffer.from(`100644 ${linkOid}\t`), bytesName, Buffer.from("\0")]), "update-index", "-z", "--index-info");
const first = client.commit({
  ".gitmodules": '[submodule "x"]\n\tpath = sub\n\turl = https://example.com/x/sub.git # here\n',
  ".editorconfig":
    "root = true\n[*]\nindent_style = space\nindent_size = 4\nend_of_line = lf\ncharset = utf-8\n[*.md]\ntrim_trailing_whitespace = true\nindent_size = 2\n",
});
client.git("tag", "-a", "-m", "one", "v1.0");
const second = client.commit({ "src/a.js": "aa\n" }, { message: "second\n\nwith a body\n" });
client.git("branch", "feat/x", first);
client.git("branch", "src", first);

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  const r = "/repos/alice/r";
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "r" }).expect(201);
    await alice.post("/user/repos", { name: "private", private: true, auto_init: true }).expect(201);
    await alice.post("/user/repos", { name: "empty" }).expect(201);
    await push(client, alice, "alice/r", "main", "feat/x", "src", "v1.0");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  describe("contents", () => {
    test("returns a file with its content and last commit", async () => {
      const file = await alice.get(`${r}/contents/src/a.js`).expect(200);
      const url = `${forge.url}/api/v1${r}/contents/src/a.js?ref=main`;
      const html = `${forge.url}/alice/r/src/branch/main/src/a.js`;
      const git = `${forge.url}/api/v1${r}/git/blobs/${file.sha}`;
      expect(file).toEqual({
        name: "a.js",
        path: "src/a.js",
        sha: client.git("rev-parse", "main:src/a.js"),
        last_commit_sha: second,
        last_committer_date: "2023-11-14T23:16:20+01:00",
        last_author_date: "2023-11-14T23:16:20+01:00",
        type: "file",
        size: 3,
        encoding: "base64",
        content: "YWEK",
        target: null,
        url,
        html_url: html,
        git_url: git,
        download_url: `${forge.url}/alice/r/raw/branch/main/src/a.js`,
        submodule_git_url: null,
        _links: { self: url, git, html },
      });
    });

    test("lists a directory in git's order, with the fields of every kind of entry", async () => {
      const listed = await forge.anonymous.get(`${r}/contents`).expect(200);
      const names = client.pipe("", "ls-tree", "-z", "--name-only", "main").toString("latin1").split("\0").slice(0, -1);
      expect(listed.map(({ size }: { size: number }) => size)).toHaveLength(names.length);
      const byName = new Map<string, Record<string, unknown>>(listed.map((entry: { name: string }) => [entry.name, entry]));
      expect(byName.get("link")).toMatchObject({ type: "symlink", size: 8, target: "src/a.js", content: null, encoding: null });
      expect(byName.get("sub")).toMatchObject({ type: "submodule", size: 0, sha: submoduleOid, git_url: null, html_url: null, download_url: null });
      expect(byName.get("sub")).toMatchObject({ submodule_git_url: "https://example.com/x/sub.git", _links: { git: null, html: null } });
      expect(byName.get("src")).toMatchObject({ type: "dir", size: 0, download_url: null, last_commit_sha: second });
      expect(byName.get("src")?.git_url).toBe(`${forge.url}/api/v1${r}/git/blobs/${client.git("rev-parse", "main:src")}`);
      expect(byName.get("README.md")).toMatchObject({ type: "file", size: 8, content: null, encoding: null });
      expect(byName.get("README.md")?.last_commit_sha).not.toBe(second);
      expect(byName.has(odd)).toBe(true);
      for (const path of ["/contents/", "/contents/src/", "/contents/src"]) await alice.get(`${r}${path}`).expect(200);
    });

    test("URLs of files with arbitrary names lead back to the files", async () => {
      const listed = await alice.get(`${r}/contents`).expect(200);
      for (const { path, sha, url, download_url } of listed.filter(({ type }: { type: string }) => type === "file")) {
        expect(await alice.get(url.slice(`${forge.url}/api/v1`.length)).expect(200)).toMatchObject({ path, sha });
        expect((await alice.get(`/${new URL(download_url).pathname}`)).status).toBe(200);
      }
    });

    test("reads at a branch, a tag, and a full or abbreviated commit id", async () => {
      const old = { content: "YQo=" };
      for (const ref of ["feat%2Fx", "v1.0", first, first.slice(0, 8)])
        expect(await alice.get(`${r}/contents/src/a.js?ref=${ref}`).expect(200)).toMatchObject(old);
      expect(await alice.get(`${r}/contents/src/a.js?branch=feat/x`).expect(200)).toMatchObject(old);
      expect(await alice.get(`${r}/contents/src/a.js?branch=feat/x&ref=main`).expect(200)).toMatchObject({ content: "YWEK" });
      const tagged = await alice.get(`${r}/contents/src/a.js?ref=feat/x`).expect(200);
      expect(tagged.url).toBe(`${forge.url}/api/v1${r}/contents/src/a.js?ref=feat%2Fx`);
      expect(tagged.html_url).toBe(`${forge.url}/alice/r/src/branch/feat/x/src/a.js`);
      expect((await alice.get(`${r}/contents/src/a.js?ref=${first.slice(0, 8)}`).expect(200)).html_url).toContain(`/src/commit/${first}/`);
    });

    test("returns 404 for unknown paths and refs", async () => {
      expect(await alice.get(`${r}/contents/nosuch`).expect(404)).toMatchObject({
        errors: ["object does not exist [id: , rel_path: nosuch]"],
        message: "GetContentsOrList",
      });
      expect(await alice.get(`${r}/contents/src?ref=nosuch`).expect(404)).toMatchObject({
        errors: ["object does not exist [id: nosuch, rel_path: ]"],
        message: "not found",
      });
      expect(await alice.get("/repos/alice/empty/contents").expect(404)).toMatchObject({ errors: ["object does not exist [id: main, rel_path: ]"] });
      for (const path of ["link/x", "sub/x", "src/a.js/x", ".git/config"]) await alice.get(`${r}/contents/${path}`).expect(404);
      await forge.anonymous.get("/repos/alice/private/contents").expect(404);
    });

    test("revisions that need a reflog or a search, and git options, match nothing", async () => {
      const words = ["--output=/tmp/pwned", "@{-1}", ":/regex", "HEAD^{/(a+)+$}", "main:src", "../x", "a".repeat(3000)];
      for (const word of words) {
        const ref = encodeURIComponent(word);
        await alice.get(`${r}/contents?ref=${ref}`).expect(404);
        expect((await alice.get(`${r}/editorconfig/x?ref=${ref}`)).status).toBe(404);
        expect((await alice.get(`${r}/archive/${ref}.zip`)).status).toBe(404);
        expect((await alice.get(`//alice/r/raw/branch/${ref}/README.md`)).status).toBe(404);
      }
    });

    test("returns the digest and size of a Git LFS pointer", async () => {
      expect(await alice.get(`${r}/contents/lfs.ptr`).expect(200)).toMatchObject({ lfs_oid: "4d".repeat(32), lfs_size: 12345 });
    });

    test("the extended form includes the requested details", async () => {
      const plain = await alice.get(`${r}/contents-ext/README.md`).expect(200);
      expect(plain.file_contents).toMatchObject({ name: "README.md", content: null });
      expect(plain.file_contents).not.toHaveProperty("last_commit_sha");
      const full = await alice.get(`${r}/contents-ext/src/a.js?includes=file_content,commit_message,commit_metadata,lfs_metadata`).expect(200);
      expect(full.file_contents).toMatchObject({ content: "YWEK", last_commit_sha: second, last_commit_message: "second\n\nwith a body\n" });
      for (const path of ["/contents-ext", "/contents-ext/"]) {
        const { dir_contents } = await alice.get(`${r}${path}?includes=lfs_metadata`).expect(200);
        expect(dir_contents.find(({ name }: { name: string }) => name === "lfs.ptr")).toMatchObject({ lfs_size: 12345, content: null });
      }
    });

    test("returns several files in one response", async () => {
      const requested = { files: ["README.md", "none", "/src//a.js", "src"] };
      const files = await alice.post(`${r}/file-contents`, requested).expect(200);
      expect(files.map((file: { path: string } | null) => file?.path ?? null)).toEqual(["README.md", null, "src/a.js", "src"]);
      expect(files[2]).toMatchObject({ last_commit_sha: second, content: "YWEK" });
      expect(await alice.get(`${r}/file-contents?body=${encodeURIComponent(JSON.stringify(requested))}`).expect(200)).toEqual(files);
      expect(await alice.post(`${r}/file-contents`, { files: [] }).expect(200)).toEqual([]);
      expect(await alice.get(`${r}/file-contents`).expect(400)).toMatchObject({ message: "invalid body parameter" });
      for (const body of ["[1]", '"x"', "null", "{"])
        expect((await alice.get(`${r}/file-contents?body=${encodeURIComponent(body)}`)).status).toBeGreaterThanOrEqual(400);
      await alice.post(`${r}/file-contents?ref=nosuch`, { files: ["README.md"] }).expect(404);
      expect(await alice.post(`${r}/file-contents`, { files: Array(100).fill("README.md") }).expect(200)).toHaveLength(30);
    });

    test("lists directories of up to 10,000 entries completely, and larger ones in pages", async () => {
      const blob = client.git("rev-parse", "main:README.md");
      const lines = (count: number) => Array.from({ length: count }, (_, n) => `100644 blob ${blob}\tf${n}\n`).join("");
      const commitOf = (count: number) => client.git("commit-tree", "-m", "many", client.pipe(lines(count), "mktree").toString().trim());
      await alice.post("/user/repos", { name: "many" }).expect(201);
      await push(client, alice, "alice/many", `${commitOf(10_000)}:refs/heads/main`, `${commitOf(10_001)}:refs/heads/more`);
      const listed = async (path: string) => {
        const { json, headers } = await alice.get<readonly { readonly name: string }[]>(`/repos/alice/many/${path}`);
        return { names: json.map(({ name }) => name), total: headers.get("x-total-count"), link: headers.get("link") };
      };
      const whole = await listed("contents");
      expect([whole.names.length, whole.total, whole.link]).toEqual([10_000, "10000", null]);
      const larger = await listed("contents?ref=more");
      expect([larger.names.length, larger.total]).toEqual([10_000, "10001"]);
      expect(larger.link).toContain('contents?page=2&ref=more>; rel="next"');
      expect((await listed("contents?ref=more&page=2")).names).toEqual(["f9999"]);
      const last = await listed("contents?ref=more&limit=4&page=2501");
      expect([last.names, last.total]).toEqual([["f9999"], "10001"]);
      expect(last.link).toContain('contents?limit=4&page=2500&ref=more>; rel="prev"');
      expect((await listed("contents?limit=20000&ref=more")).names).toHaveLength(10_000);
      const { json: extended, headers } = await alice.get("/repos/alice/many/contents-ext?ref=more&limit=4&page=2");
      expect([extended.dir_contents.map(({ name }: { readonly name: string }) => name), headers.get("x-total-count")]).toEqual([
        larger.names.slice(4, 8),
        "10001",
      ]);
      const file = await alice.get("/repos/alice/many/contents/f7?ref=more");
      expect([file.headers.get("x-total-count"), file.headers.get("link")]).toEqual([null, null]);
      expect(await alice.get("/repos/alice/many/contents/f7?ref=more").expect(200)).toMatchObject({ size: 8 });
    });

    test("reading takes few statements and no process", async () => {
      await forge.settled();
      const paths = ["/contents", "/contents/src", "/contents/src/a.js", "/raw/src/a.js", "/contents-ext/src?includes=commit_metadata"];
      for (const path of paths) {
        await alice
          .get(`${r}${path}`)
          .expect(200)
          .catch(() => {});
        const { statements, processes } = await forge.cost(() => alice.get(`${r}${path}`));
        expect({ path, processes, few: statements.length <= (path.startsWith("/raw") ? 3 : 4), statements: statements.length }).toMatchObject({
          processes: 0,
          few: true,
        });
      }
      const cost = async (files: string[]) => {
        await alice.post(`${r}/file-contents`, { files }).expect(200);
        return (await forge.cost(() => alice.post(`${r}/file-contents`, { files }).expect(200))).statements.length;
      };
      expect(await cost(["README.md", "src/a.js", "src/deep/b.js", "bin.dat", "link"])).toBe(await cost(["README.md"]));
    });
  });

  test("returns the properties of the root .editorconfig for a path", async () => {
    expect((await alice.get(`${r}/editorconfig/docs/x.go`)).text).toBe('{"charset":"utf-8","indent_style":"space","indent_size":"4","end_of_line":"lf"}\n');
    expect(await alice.get(`${r}/editorconfig/README.md?ref=v1.0`).expect(200)).toMatchObject({ indent_size: "2" });
    expect(await alice.get("/repos/alice/private/editorconfig/README.md").expect(404)).toMatchObject({
      errors: ["object does not exist [id: , rel_path: .editorconfig]"],
      message: "not found",
    });
  });

  describe("raw files", () => {
    test("sends files unchanged, with headers that prevent browsers from running them", async () => {
      const text = await forge.anonymous.get(`${r}/raw/src/a.js`);
      expect(text.text).toBe("aa\n");
      expect(Object.fromEntries(text.headers)).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "content-disposition": "inline; filename=a.js",
        "content-length": "3",
        "cache-control": "public, max-age=21600, no-transform",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "x-content-type-options": "nosniff",
        "x-gitea-object-type": "file",
        etag: `"${client.git("rev-parse", "main:src/a.js")}"`,
      });
      const response = await fetch(`${forge.url}/api/v1${r}/raw/bin.dat`);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(binary);
      expect(response.headers.get("content-type")).toBe("application/octet-stream");
      expect((await alice.get("/repos/alice/private/raw/README.md")).headers.get("cache-control")).toContain("private");
      expect((await alice.get(`${r}/raw/link`)).text).toBe("src/a.js");
    });

    test("a file name with special characters cannot break out of its header", async () => {
      const answer = await alice.get(`${r}/raw/${encodeURIComponent(odd)}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-disposition")).toBe(
        `inline; filename="line_break _[31m 'q_ _n_.txt"; filename*=UTF-8''line%0Abreak%20%1B%5B31m%20%27q%22%20%C3%BCn%C3%AF.txt`,
      );
    });

    test("streams a large file, whole and in ranges", async () => {
      const { counters } = forge.context.git;
      await alice.get(`${r}/raw/bin.dat`);
      const idle = counters.running;
      const whole = await fetch(`${forge.url}/api/v1${r}/raw/large.txt`);
      expect(Buffer.from(await whole.arrayBuffer()).equals(large)).toBe(true);
      expect(whole.headers.get("content-length")).toBe(String(large.length));
      for (const path of ["large.txt", "bin.dat"]) {
        const bytes = path === "bin.dat" ? binary : large;
        const cases: [string, number, number][] = [
          ["bytes=10-19", 10, 20],
          ["bytes=200-", 200, bytes.length],
          ["bytes=-7", bytes.length - 7, bytes.length],
          [`bytes=5-${bytes.length * 2}`, 5, bytes.length],
        ];
        for (const [range, start, end] of cases) {
          const part = await fetch(`${forge.url}/api/v1${r}/raw/${path}`, { headers: { range } });
          expect({ range, status: part.status, at: part.headers.get("content-range") }).toEqual({
            range,
            status: 206,
            at: `bytes ${start}-${end - 1}/${bytes.length}`,
          });
          expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
        }
        expect((await alice.get(`${r}/raw/${path}`, { range: `bytes=${bytes.length}-` })).status).toBe(416);
        for (const range of ["bytes=9-3", "bytes=a-b", "lines=1-2", "bytes=1-2,5-6"]) expect((await alice.get(`${r}/raw/${path}`, { range })).status).toBe(200);
      }
      await expect.poll(() => counters.running).toBeLessThanOrEqual(idle);
    });

    test("returns 304 for a matching ETag", async () => {
      const { headers } = await alice.get(`${r}/raw/large.txt`);
      for (const tag of [headers.get("etag") ?? "", `W/${headers.get("etag")}`, `"x", ${headers.get("etag")}`, "*"]) {
        const again = await alice.get(`${r}/raw/large.txt`, { "if-none-match": tag });
        expect([again.status, again.text]).toEqual([304, ""]);
      }
      expect((await alice.get(`${r}/raw/large.txt`, { "if-none-match": '"other"' })).status).toBe(200);
    });

    test("a path can begin with a branch, and an unknown ref falls back to the default branch", async () => {
      expect((await alice.get(`${r}/raw/feat/x/src/a.js`)).text).toBe("a\n");
      expect((await alice.get(`${r}/raw/v1.0/src/a.js`)).text).toBe("a\n");
      expect((await alice.get(`${r}/raw/src/a.js?ref=nosuch`)).text).toBe("aa\n");
      // A branch of the same name does not hide a directory.
      expect((await alice.get(`${r}/raw/src/a.js`)).text).toBe("aa\n");
      expect((await alice.get(`${r}/raw/src/src/a.js`)).text).toBe("a\n");
      for (const path of ["branch/main/README.md", "src", "sub", "nosuch", "main"]) await alice.get(`${r}/raw/${path}`).expect(404);
      expect(await alice.get("/repos/alice/empty/raw/none.txt").expect(404)).toMatchObject({ message: "repository is empty" });
      expect((await alice.get(`${r}/media/README.md`)).text).toBe("# Hello\n");
      await alice.get(`${r}/media/none`).expect(404);
    });

    test("sends the time of the repository's last change, and 304 to clients that are up to date", async () => {
      const addresses = [
        `${r}/raw/README.md`,
        `${r}/media/README.md`,
        "//alice/r/raw/branch/main/README.md",
        "//alice/r/media/branch/main/README.md",
        `${r}/archive/main.tar.gz`,
      ];
      const { updated_at } = await alice.get(r).expect(200);
      for (const address of addresses) {
        const get = (headers: Readonly<Record<string, string>> = {}) => forge.anonymous.get(address, headers);
        // Another change within the same second would not be noticed.
        let date: string | null = null;
        while (date === null) date = (await get()).headers.get("last-modified");
        const changed = Date.parse(date) - Date.parse(updated_at);
        expect(changed).toBeGreaterThanOrEqual(1_000);
        expect(changed).toBeLessThanOrEqual(2_000);
        const again = await get({ "if-modified-since": date });
        expect([address, again.status, again.text, again.headers.get("last-modified")]).toEqual([address, 304, "", date]);
        expect((await get({ "if-modified-since": new Date(Date.parse(date) - 1_000).toUTCString() })).status).toBe(200);
        expect((await get({ "if-modified-since": date, "if-none-match": '"another"' })).status).toBe(200);
      }
    });

    test("serves the web URLs of raw files", async () => {
      const text = async (path: string) => {
        const answer = await forge.anonymous.get(`//alice/r/${path}`);
        return [answer.status, answer.text];
      };
      expect(await text("raw/branch/main/src/a.js")).toEqual([200, "aa\n"]);
      expect(await text("raw/branch/feat/x/src/a.js")).toEqual([200, "a\n"]);
      expect(await text("raw/tag/v1.0/src/a.js")).toEqual([200, "a\n"]);
      expect(await text(`raw/commit/${first}/src/a.js`)).toEqual([200, "a\n"]);
      expect(await text("media/branch/main/README.md")).toEqual([200, "# Hello\n"]);
      expect(await text("raw/branch/nosuch/README.md")).toEqual([404, "Not found.\n"]);
      expect(await text("raw/tag/main/README.md")).toEqual([404, "Not found.\n"]);
      const moved = await forge.anonymous.get("//alice/r/raw/feat/x/a%20b.txt");
      expect([moved.status, moved.headers.get("location")]).toEqual([303, "/alice/r/raw/branch/feat/x/a%20b.txt"]);
      expect((await forge.anonymous.get("//alice/r/raw/v1.0/x")).headers.get("location")).toBe("/alice/r/raw/tag/v1.0/x");
      expect((await forge.anonymous.get("//alice/private/raw/branch/main/README.md")).status).toBe(404);
      expect((await alice.get("//alice/private/raw/branch/main/README.md")).status).toBe(200);
      const head = await fetch(`${forge.url}/alice/r/raw/branch/main/large.txt`, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, String(large.length), ""]);
      for (const path of ["..%2f..%2fetc/passwd", "..%2f..%2fconfig"])
        expect((await forge.anonymous.get(`//alice/r/raw/branch/main/${path}`)).status).toBe(404);
    });
  });
});
