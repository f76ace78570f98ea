import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { inject } from "../kit/inject.ts";

/**
 * Names, revisions, ranges and contents that git parses in special ways, at every route that passes them to git. They are invalid input or
 * valid content, never a failure of the server.
 */

const quoted = (path: string): string => `"${[...Buffer.from(path, "latin1")].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`;

const missingCommit = "1".repeat(40);
const binary = Buffer.from(Array.from({ length: 3_000 }, (_, at) => at % 256)).toString("latin1");

/** Files by name, in bytes: names that look like options, revisions or pathspecs, names that no text can hold, and unusual contents. */
const oddFiles: Readonly<Record<string, string>> = {
  "-": "a dash\n",
  "--all": "an option\n",
  "-rf": "options\n",
  "--output=x": "an option with a value\n",
  "@": "at\n",
  HEAD: "head\n",
  "main:a": "looks like an object\n",
  "a..b": "looks like a range\n",
  ":(glob)**": "looks like a pathspec\n",
  ":/a": "a path from the root\n",
  "*": "a star\n",
  "[a]?": "a glob\n",
  "a\\b": "a backslash\n",
  'a"b': "a quote\n",
  "a b%20c": "percent\n",
  "a\tb": "a tab\n",
  "a\nb": "a line break\n",
  "\xff\xfe": "not UTF-8\n",
  "\xff\nx": "not UTF-8, and a line break\n",
  binary: binary,
  "latin1.txt": "caf\xe9\n\xff\xfe\xfd\n",
  "nul.txt": "a\0b\n",
  "late-nul.txt": `${"text\n".repeat(3_000)}\0\n`,
  empty: "",
  "no-end": "no line break",
  "cr.txt": "a\rb\rc\r",
  "long-line.txt": "x".repeat(100_000),
  "table.csv": 'a,"b\n"c,d',
  "book.ipynb": '{"nbformat":4,"cells":[{"cell_type":"code","source":5,"outputs":{}},null,[]]}',
  "readme.org": "* x\n#+BEGIN_SRC\n",
  ".gitmodules": '[submodule "x"]\n\tpath = module\n\turl = ://none\n[broken',
  ".gitattributes": "* -text diff=--x filter=y\n[broken\n\xff binary\n",
  ".editorconfig": "[\xff\n[*\nindent_size = \xff\n",
  CODEOWNERS: "( @nobody\n\xff [\n",
};
const oddLinks: Readonly<Record<string, string>> = {
  "link-to-nothing": "none",
  "link-to-itself": "link-to-itself",
  "link-outside": "../../../../etc/passwd",
  "link-absolute": "/etc/passwd",
  "link-to-folder": "folder",
  "link-not-utf8": "\xff",
};

const paths: readonly string[] = [
  ...Object.keys(oddFiles),
  ...Object.keys(oddLinks),
  ...["folder", "folder/b.txt", "module", "module/x", "none", "a.txt/below", "link-to-folder/b.txt", "binary/x"],
  ...["../x", "./a.txt", "a.txt/", "//a.txt", "folder//b.txt", ".git/config", "x".repeat(5_000), "a\0b", ":!a.txt", ":(exclude)a.txt", ":(attr:x)a.txt"],
];

const revisions: readonly string[] = [
  ...["-", "--all", "-n1", "--output=x", "@", "@{-1}", "@{u}", "HEAD@{1}", "HEAD@{yesterday}", "main@{0}", ":/change", ":0:a.txt", "main:a.txt", "main^{tree}"],
  ...["main^{/change}", "main~99999999999", "main^9", "main^0", "main^@", "main^!", "main~-1", "main..changed", "main...changed", "^main", "..", "...", ""],
  ...[missingCommit, "0".repeat(40), "f".repeat(64), "abcdef", "deadbee", "1".repeat(41), "refs/heads/", "refs/pull/1/head", "refs/hidden/x", "\xff"],
  ...["a\0b", "a\nb", "a b", "x".repeat(3_000), "tree-tag", "blob-tag", "empty", "orphan", "latin1", "submodule"],
];

/** In a path, each byte is encoded. Slashes remain. */
const inPath = (text: string): string =>
  [...Buffer.from(text, "latin1")].map((byte) => (byte === 0x2f ? "/" : `%${byte.toString(16).padStart(2, "0")}`)).join("");
const inQuery = (text: string): string => inPath(text).replaceAll("/", "%2f");

const api = "/api/v1/repos/alice/odd";
const pathRoutes: readonly ((path: string) => string)[] = [
  (path) => `${api}/contents/${inPath(path)}`,
  (path) => `${api}/contents-ext/${inPath(path)}?includes=file_content,lfs_metadata,commit_metadata,commit_message`,
  (path) => `${api}/file-contents?body=${inQuery(JSON.stringify({ files: [path] }))}`,
  (path) => `${api}/raw/${inPath(path)}`,
  (path) => `${api}/media/${inPath(path)}`,
  (path) => `${api}/editorconfig/${inPath(path)}`,
  (path) => `${api}/commits?path=${inQuery(path)}`,
  (path) => `${api}/commits?path=${inQuery(path)}&not=empty&since=0001-01-01T00:00:00Z&until=9999-12-31T00:00:00Z`,
  (path) => `${api}/git/trees/main:${inPath(path)}`,
  (path) => `${api}/archive/main.zip?path=${inQuery(path)}`,
  (path) => `/alice/odd/archive/main.tar.gz?path=${inQuery(path)}`,
  (path) => `/alice/odd/src/branch/main/${inPath(path)}`,
  (path) => `/alice/odd/blame/branch/main/${inPath(path)}`,
  (path) => `/alice/odd/commits/branch/main/${inPath(path)}`,
  (path) => `/alice/odd/raw/branch/main/${inPath(path)}`,
  (path) => `/alice/odd/rss/branch/main/${inPath(path)}`,
  (path) => `/alice/odd/_edit/main/${inPath(path)}`,
  (path) => `/alice/odd/compare/main...changed?file=${inQuery(path)}`,
  (path) => `/alice/odd/search?q=${inQuery(path)}`,
];
const revisionRoutes: readonly ((rev: string) => string)[] = [
  (rev) => `${api}/commits?sha=${inQuery(rev)}`,
  (rev) => `${api}/commits?not=${inQuery(rev)}`,
  (rev) => `${api}/commits/${inPath(rev)}/status`,
  (rev) => `${api}/git/commits/${inPath(rev)}`,
  (rev) => `${api}/git/commits/${inPath(rev)}.diff`,
  (rev) => `${api}/git/commits/${inPath(rev)}.patch`,
  (rev) => `${api}/git/trees/${inPath(rev)}?recursive=true`,
  (rev) => `${api}/git/blobs/${inPath(rev)}`,
  (rev) => `${api}/git/tags/${inPath(rev)}`,
  (rev) => `${api}/git/notes/${inPath(rev)}`,
  (rev) => `${api}/git/refs/${inPath(rev)}`,
  (rev) => `${api}/branches/${inPath(rev)}`,
  (rev) => `${api}/compare/main...${inPath(rev)}`,
  (rev) => `${api}/compare/${inPath(rev)}..main`,
  (rev) => `${api}/contents/a.txt?ref=${inQuery(rev)}`,
  (rev) => `${api}/archive/${inPath(rev)}.zip`,
  (rev) => `${api}/archive/${inPath(rev)}.bundle`,
  (rev) => `/alice/odd/src/commit/${inPath(rev)}`,
  (rev) => `/alice/odd/src/branch/${inPath(rev)}/a.txt`,
  (rev) => `/alice/odd/blame/commit/${inPath(rev)}/a.txt`,
  (rev) => `/alice/odd/commit/${inPath(rev)}`,
  (rev) => `/alice/odd/commit/${inPath(rev)}.patch`,
  (rev) => `/alice/odd/commits/commit/${inPath(rev)}`,
  (rev) => `/alice/odd/compare/main...${inPath(rev)}`,
  (rev) => `/alice/odd/compare/${inPath(rev)}..main`,
  (rev) => `/alice/odd/graph?branch=${inQuery(rev)}`,
  (rev) => `/alice/odd/search?q=text&ref=${inQuery(rev)}`,
];
const numbers: readonly string[] = ["-1", "0", "1e9", "99999999999999999999", "NaN", "1;2", "0x10", "%00", ""];
const numberRoutes: readonly ((number: string) => string)[] = [
  (number) => `${api}/commits?page=${number}&limit=${number}`,
  (number) => `${api}/git/trees/main?recursive=1&page=${number}&per_page=${number}`,
  (number) => `${api}/git/commits/changed?page=${number}`,
  (number) => `${api}/compare/main...changed?page=${number}&limit=${number}`,
  (number) => `${api}/commits?since=${number}&until=${number}`,
  (number) => `/alice/odd/commits/branch/main?page=${number}`,
  (number) => `/alice/odd/src/branch/main?page=${number}`,
  (number) => `/alice/odd/graph?page=${number}`,
  (number) => `/alice/odd/commit/changed?page=${number}&piece=${number}&part=${number}&only=${number}&list=${number}&gaps=${number}`,
  (number) => `/alice/odd/compare/main...changed?page=${number}&piece=${number}&part=${number}&only=${number}&list=${number}&gaps=${number}`,
];

let forge: TestForge;
let alice: TestUser;
let work: GitUser;
let browser: Browser;

/** A fast-import stream (git-fast-import), in bytes. */
function oddRepository(): Buffer {
  const data = (text: string): string => `data ${text.length}\n${text}\n`;
  const person = "Ann <ann@example.com> 1700000000 +0000";
  const commit = (ref: string, message: string, rest: string): string => `commit ${ref}\ncommitter ${person}\n${data(message)}${rest}`;
  const file = (path: string, text: string, mode = "100644"): string => `M ${mode} inline ${quoted(path)}\n${data(text)}`;
  const files = Object.entries(oddFiles).map(([path, text]) => file(path, text));
  const links = Object.entries(oddLinks).map(([path, target]) => file(path, target, "120000"));
  const module = `M 160000 ${missingCommit} module\n`;
  const folder = file("folder/b.txt", "b\n") + file("a.txt", "text\n") + file(`${"deep/".repeat(300)}x`, "deep\n");
  const changed = Object.keys(oddFiles).map((path) => file(path, `changed ${path}\0\n`));
  return Buffer.from(
    [
      commit("refs/heads/main", "odd files\n", [...files, ...links, module, folder].join("")),
      commit("refs/heads/changed", "change \xff\n\n--- a/x\n+++ b/x\n", `from refs/heads/main\n${changed.join("")}M 160000 ${"2".repeat(40)} module\n`),
      commit("refs/heads/latin1", "caf\xe9", "from refs/heads/main\nD a.txt\n"),
      commit("refs/heads/submodule", "", `from refs/heads/main\nD a.txt\nM 160000 ${"3".repeat(40)} a.txt\n`),
      commit("refs/heads/orphan", "no parents", file("a.txt", "other\n")),
      commit("refs/heads/empty", "", ""),
      "done\n",
    ].join(""),
    "latin1",
  );
}

beforeAll(async () => {
  work = await createGitUser();
  forge = await startForge({ dialect: sqlite });
  alice = await forge.createUser("alice");
  browser = createBrowser(forge.url);
  await browser.signIn(alice);
  await alice.post("/user/repos", { name: "odd" }).expect(201);
  await alice.post("/user/repos", { name: "empty" }).expect(201);
  await work.init("odd", "--bare");
  execFileSync("git", ["fast-import", "--quiet", "--done"], { cwd: join(work.path, "odd"), input: oddRepository(), env: { PATH: process.env.PATH } });
  await work.git("odd", "tag", "tree-tag", "main^{tree}");
  await work.git("odd", "tag", "-a", "-m", "a blob", "blob-tag", "main:a.txt");
  await work.git("odd", "push", "-q", `${alice.gitOrigin}/alice/odd`, "--all");
  await work.git("odd", "push", "-q", `${alice.gitOrigin}/alice/odd`, "--tags");
}, 60_000);
afterAll(async () => {
  await forge[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
});

interface Sent {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly body?: object;
}

/** @returns the requests that failed, and how many succeeded */
async function send(requests: readonly Sent[]): Promise<{ readonly failed: readonly string[]; readonly succeeded: number }> {
  const failed: string[] = [];
  let succeeded = 0;
  const waiting = [...requests];
  const worker = async (): Promise<void> => {
    for (let sent = waiting.shift(); sent !== undefined; sent = waiting.shift()) {
      const { method, url, body } = sent;
      const credentials = url.startsWith("/api/") ? { authorization: `token ${alice.token}` } : { cookie: browser.cookie };
      const headers = { ...credentials, ...(body && { "content-type": "application/json" }) };
      const answer = await inject(forge.forge.http, { method, url, headers, ...(body && { payload: JSON.stringify(body) }) });
      if (answer.statusCode < 300) succeeded += 1;
      if (answer.statusCode >= 500)
        failed.push(`${method} ${url.slice(0, 200)} ${JSON.stringify(body ?? {}).slice(0, 200)}: ${answer.statusCode} ${answer.body.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  // A page whose slow part fails has already sent its status.
  for (const { level, meta, message } of forge.log.slice(logged)) if (level === "error") failed.push(`${message}: ${JSON.stringify(meta).slice(0, 300)}`);
  logged = forge.log.length;
  return { failed, succeeded };
}
let logged = 0;

const get = (url: string): Sent => ({ method: "GET", url });

test("a request for any file or path is answered without a failure of the server", async () => {
  const { failed, succeeded } = await send(pathRoutes.flatMap((route) => paths.map((path) => get(route(path)))));
  expect(failed).toEqual([]);
  expect(succeeded).toBeGreaterThan(500);
}, 120_000);

test("a request with any revision is answered without a failure of the server", async () => {
  const { failed, succeeded } = await send(revisionRoutes.flatMap((route) => revisions.map((rev) => get(route(rev)))));
  expect(failed).toEqual([]);
  expect(succeeded).toBeGreaterThan(100);
}, 120_000);

test("a request with any number or range is answered without a failure of the server", async () => {
  const { failed, succeeded } = await send(numberRoutes.flatMap((route) => numbers.map((number) => get(route(number)))));
  expect(failed).toEqual([]);
  expect(succeeded).toBeGreaterThan(60);
}, 60_000);

const newFile = (path: string, text: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`;
const patches: readonly string[] = [
  ...["", "\n", "no patch", "\0", "diff --git", "diff --git a/x b/x\n", "--- a/a.txt\n+++ b/a.txt\n", "-- 2.39\n", "x".repeat(100_000)],
  ...["../x", "/etc/passwd", ".git/config", "-rf", "a\0b", "a\tb", '"quoted"', "folder", "a.txt", "a.txt/below", "x".repeat(5_000)].map((path) =>
    newFile(path, "x"),
  ),
  "--- a/a.txt\n+++ b/a.txt\n@@ -1,99999999999999999999 +1 @@\n-text\n+other\n",
  "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-other text\n+other\n",
  "--- a/a.txt\n+++ b/a.txt\n@@ -4294967297,1 +4294967297,1 @@\n-text\n+other\n",
  "diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to ../b.txt\n",
  "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
  `diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit ${missingCommit}\n`,
  "diff --git a/x b/x\nnew file mode 777777\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n",
  "diff --git a/binary b/binary\nGIT binary patch\nliteral 99999999999\nzcmZ\n\n",
  `diff --git a/binary b/binary\nindex ${"0".repeat(40)}..${"1".repeat(40)}\nGIT binary patch\ndelta 5\nMcmZ\n\n`,
];

const textOf = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");

test("a change, branch, tag, pull request or review with any name, revision, range or patch is answered without a failure of the server", async () => {
  const post = (path: string, body: object): Sent => ({ method: "POST", url: `${api}${path}`, body });
  const content = Buffer.from("x").toString("base64");
  const requests: Sent[] = [
    ...patches.map((text) => post("/diffpatch", { content: text, new_branch: `p${patches.indexOf(text)}`, branch: "latin1" })),
    ...revisions
      .map(textOf)
      .flatMap((rev) => [
        post("/branches", { new_branch_name: `from-${revisions.map(textOf).indexOf(rev)}`, old_ref_name: rev }),
        post("/branches", { new_branch_name: rev, old_ref_name: "main" }),
        post("/tags", { tag_name: `t${revisions.map(textOf).indexOf(rev)}`, target: rev }),
        post("/tags", { tag_name: rev, target: "main", message: "x" }),
        post("/pulls", { title: "x", head: rev, base: "main" }),
        post("/pulls", { title: "x", head: "changed", base: rev }),
        post("/releases", { tag_name: `r${revisions.map(textOf).indexOf(rev)}`, target_commitish: rev }),
        post(`/statuses/${inPath(rev)}`, { state: "success", context: "x" }),
        post("/contents/new.txt", { content, message: "m", branch: rev }),
      ]),
    ...paths
      .map(textOf)
      .flatMap((path) => [
        post(`/contents/${inPath(path)}`, { content, message: "m", branch: "latin1" }),
        post("/contents", { message: "m", branch: "latin1", files: [{ operation: "upload", path, content }] }),
        post("/file-contents?ref=main", { files: [path] }),
        { method: "DELETE", url: `${api}/contents/${inPath(path)}`, body: { message: "m", branch: "latin1", sha: missingCommit } } as const,
        post("/wiki/new", { title: path, content_base64: content }),
      ]),
  ];
  const { failed, succeeded } = await send(requests);
  expect(failed).toEqual([]);
  expect(succeeded).toBeGreaterThan(50);

  await alice.post("/repos/alice/odd/branches", { new_branch_name: "base", old_ref_name: "main" }).expect(201);
  const { number: pull } = await alice.post("/repos/alice/odd/pulls", { title: "odd", head: "changed", base: "base" }).expect(201);
  const lines = [-1, 0, 1, 2_147_483_647, 9_007_199_254_740_991];
  const reviews = paths.map(textOf).flatMap((path, index) => {
    const line = lines[index % lines.length];
    return [
      post(`/pulls/${pull}/reviews`, { event: "COMMENT", comments: [{ path, body: "x", new_position: line }] }),
      post(`/pulls/${pull}/reviews`, { event: "COMMENT", commit_id: revisions[index % revisions.length], comments: [{ path, body: "x", old_position: line }] }),
    ];
  });
  const reads = [".diff", ".patch", "/files", "/commits"].map((path) => get(`${api}/pulls/${pull}${path}`));
  const pages = ["", "/files", "/commits"].map((path) => get(`/alice/odd/pulls/${pull}${path}`));
  const merges = ["merge", "rebase", "squash", "fast-forward-only", "x"].map((Do) => post(`/pulls/${pull}/merge`, { Do, head_commit_id: "-x" }));
  const reviewed = await send([...reviews, ...reads, ...pages, ...merges]);
  expect(reviewed.failed).toEqual([]);
  expect(reviewed.succeeded).toBeGreaterThan(20);
}, 120_000);

test("reads of an empty repository with any revision are answered without a failure of the server", async () => {
  const empty = revisionRoutes.flatMap((route) => ["main", "HEAD", "-x", missingCommit].map((rev) => get(route(rev).replace("alice/odd", "alice/empty"))));
  expect((await send(empty)).failed).toEqual([]);
}, 60_000);
