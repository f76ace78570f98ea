import { execFile, execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onSqlite } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";

const run = promisify(execFile);
const hasUnzip = spawnSync("unzip", ["-v"]).status === 0;
const client = createClient();
const directory = mkdtempSync(join(tmpdir(), "hearth-archive-"));
afterAll(() => {
  client.remove();
  rmSync(directory, { recursive: true, force: true });
});
const first = client.commit({ "README.md": "# Hello\n", "src/a.js": "a\n", "src/deep/b,c.js": "b\n", "ünï/✓.txt": "x" });
client.git("tag", "-a", "-m", "one", "v1.0");
client.git("branch", "feat/x");
const second = client.commit({ "src/a.js": "aa\n" });

/** Twelve levels of trees, each with ten entries for the next one: 10^12 paths. */
function makeBomb(): string {
  let oid = client.pipe("x", "hash-object", "-w", "--stdin").toString().trim();
  let kind = "100644 blob";
  for (let depth = 0; depth < 12; depth++) {
    oid = client
      .pipe(Array.from({ length: 10 }, (_, n) => `${kind} ${oid}\td${n}\n`).join(""), "mktree")
      .toString()
      .trim();
    kind = "040000 tree";
  }
  return client.pipe("", "commit-tree", "-m", "bomb", oid).toString().trim();
}
const bomb = makeBomb();
client.git("checkout", "-q", "--orphan", "large");
const large = client.commit({ "large.bin": randomBytes(24 * 1024 * 1024) });

onSqlite((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  const r = "/repos/alice/my.repo";
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    for (const name of ["my.repo", "bomb"]) await alice.post("/user/repos", { name }).expect(201);
    await push(client, alice, "alice/my.repo", "main", "feat/x", "v1.0");
    await push(client, alice, "alice/bomb", `${bomb}:refs/heads/main`);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const download = async (path: string): Promise<{ file: string; response: Response }> => {
    const response = await fetch(`${forge.url}${path}`);
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    const file = join(directory, `${dialect.name}-download`);
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    return { file, response };
  };
  const filesOf = (rev: string): string[] =>
    client
      .git("-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", rev)
      .split("\n")
      .map((name) => `my.repo/${name}`)
      .sort();
  const listed = (output: Buffer): string[] =>
    output
      .toString()
      .split("\n")
      .filter((name) => name !== "" && !name.endsWith("/"))
      .sort();

  test.skipIf(!hasUnzip)(`a zip contains the files that git lists${hasUnzip ? "" : " (skipped: this machine has no unzip)"}`, async () => {
    for (const path of [`/api/v1${r}/archive/main.zip`, "/alice/my.repo/archive/main.zip", `/api/v1${r}/zipball/main`]) {
      const { file } = await download(path);
      expect(listed(execFileSync("unzip", ["-Z1", file], { env: { ...process.env, LC_ALL: "C.UTF-8" } }))).toEqual(filesOf("main"));
      execFileSync("unzip", ["-tq", file]);
    }
  });

  test("a tar.gz contains the files that git lists, below a directory named after the repository", async () => {
    const revs = { main: "main", "feat/x": first, "v1.0": first, [first]: first, [second.slice(0, 9)]: second };
    for (const [name, rev] of Object.entries(revs)) {
      for (const path of [`/api/v1${r}/archive/${name}.tar.gz`, `/alice/my.repo/archive/${name}.tar.gz`, `/api/v1${r}/tarball/${name}`]) {
        const { file } = await download(path);
        expect(listed(execFileSync("tar", ["--quoting-style=literal", "-tzf", file], { env: { ...process.env, LC_ALL: "C.UTF-8" } }))).toEqual(filesOf(rev));
      }
    }
    const { file } = await download(`/api/v1${r}/archive/main.tar.gz`);
    expect(execFileSync("tar", ["-xzOf", file, "my.repo/src/a.js"]).toString()).toBe("aa\n");
  });

  test("a bundle can be cloned", async () => {
    for (const [path, rev] of [
      [`/api/v1${r}/archive/main.bundle`, second],
      [`/api/v1${r}/bundle/v1.0`, first],
      ["/alice/my.repo/archive/feat/x.bundle", first],
      [`/api/v1${r}/archive/${first}.bundle`, first],
    ] as const) {
      const { file } = await download(path);
      const clone = join(directory, `clone-${dialect.name}`);
      rmSync(clone, { recursive: true, force: true });
      await run("git", ["clone", "-q", file, clone], { env: { PATH: process.env.PATH, HOME: directory } });
      expect((await run("git", ["-C", clone, "rev-parse", "HEAD"])).stdout.trim()).toBe(rev);
      expect(readFileSync(join(clone, "README.md"), "utf8")).toBe("# Hello\n");
    }
  });

  test("headers contain the file name, the commit and the permanent URL of an archive", async () => {
    const { response } = await download(`/api/v1${r}/archive/feat/x.zip`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment; filename=my.repo-feat-x.zip",
      link: `<${forge.url}/api/v1${r}/archive/${first}.zip?rev=${first}>; rel="immutable"`,
      "x-content-type-options": "nosniff",
    });
    expect((await alice.get(`${r}/archive/v1.0.zip`)).headers.get("link")).toContain(`/archive/${client.git("rev-parse", "v1.0")}.zip?`);
    const etag = response.headers.get("etag") ?? "";
    expect([
      (await alice.get(`${r}/archive/feat/x.zip`, { "if-none-match": etag })).status,
      (await alice.get(`${r}/archive/main.zip`, { "if-none-match": etag })).status,
    ]).toEqual([304, 200]);
    const link = /<(.+)>/.exec(response.headers.get("link") ?? "")?.[1] ?? "";
    expect((await fetch(link)).status).toBe(200);
    const { processes, result } = await forge.cost(() => fetch(`${forge.url}/api/v1${r}/archive/main.zip`, { method: "HEAD" }));
    expect([processes, result.status, result.headers.get("content-disposition")]).toEqual([0, 200, "attachment; filename=my.repo-main.zip"]);
  });

  test("an archive can be limited to paths, which can contain any characters", async () => {
    const { file } = await download(`/api/v1${r}/archive/main.tar.gz?path=src/deep/b,c.js&path=README.md`);
    expect(listed(execFileSync("tar", ["-tzf", file]))).toEqual(["my.repo/README.md", "my.repo/src/deep/b,c.js"]);
    for (const path of ["nosuch", ":(exclude)src", "--output=/tmp/pwned", ":/", "*"])
      expect((await alice.get(`${r}/archive/main.zip?path=${encodeURIComponent(path)}`)).status).toBe(404);
  });

  test("returns 404 for an unknown ref and 400 for an unknown archive format", async () => {
    expect(await alice.get(`${r}/archive/nosuch.zip`).expect(404)).toMatchObject({ message: "unrecognized repository reference: nosuch" });
    expect(await alice.get(`${r}/archive/main.rar`).expect(400)).toMatchObject({ message: "unknown format: main.rar" });
    expect(await alice.get(`${r}/archive/main`).expect(400)).toMatchObject({ message: "unknown format: main" });
    const web = await forge.anonymous.get("//alice/my.repo/archive/nosuch.zip");
    expect([web.status, web.text]).toEqual([404, "unrecognized repository reference: nosuch\n"]);
    for (const word of ["--output=x", "HEAD@{1}", "main~1000", "refs/heads/nosuch"])
      expect((await alice.get(`${r}/archive/${encodeURIComponent(word)}.zip`)).status).toBe(404);
    await alice.post("/user/repos", { name: `hidden-${dialect.name}`, private: true, auto_init: true }).expect(201);
    await forge.anonymous.get(`/repos/alice/hidden-${dialect.name}/archive/main.zip`).expect(404);
    expect((await forge.anonymous.get(`//alice/hidden-${dialect.name}/archive/main.zip`)).status).toBe(404);
  });

  test("a tree that expands to 10^12 files cannot be archived or patched, but can be edited", async () => {
    await forge.settled();
    await alice.get("/repos/alice/bomb/contents").expect(200);
    const { processes } = await forge.cost(async () => {
      await alice.get("/repos/alice/bomb/archive/main.zip").expect(422);
      await alice.get("/repos/alice/bomb/archive/main.tar.gz").expect(422);
    });
    expect(processes).toBe(0);
    await alice
      .post("/repos/alice/bomb/diffpatch", { content: "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n" })
      .expect(422);
    await alice.post("/repos/alice/bomb/contents/d1/d2/x", { content: "" }).expect(201);
  });

  test("export-subst attributes cannot make git do more work than one archive is worth", async () => {
    client.git("checkout", "-q", "--orphan", "attributes");
    client.git("rm", "-rfq", "--cached", ".");
    const wanted = "$Format:%(describe:tags)$\n";
    const files = {
      ".gitattributes": `* export-subst\n${"x y z\n".repeat(200_000)}`,
      "many.txt": wanted.repeat(500),
      "wide.txt": "$Format:%<(2147483647)%an$\n",
    };
    client.commit(files);
    client.git("tag", "-a", "-m", "described", "v9");
    await alice.post("/user/repos", { name: "attributes" }).expect(201);
    await push(client, alice, "alice/attributes", "attributes:refs/heads/main", "v9");
    const { file } = await download("/api/v1/repos/alice/attributes/archive/main.tar.gz?path=many.txt&path=.gitattributes");
    // Each placeholder is a walk through the history; git expands one.
    const described = execFileSync("tar", ["-xzOf", file, "attributes/many.txt"]).toString().split("\n");
    expect(described.filter((line) => line === "v9").length).toBeLessThanOrEqual(1);
    expect(described).toHaveLength(501);
    // Content that exceeds the memory limit ends only this archive.
    const before = process.memoryUsage().rss;
    const whole = await fetch(`${forge.url}/api/v1/repos/alice/attributes/archive/main.tar.gz`).then((answer) => answer.arrayBuffer().catch(() => undefined));
    expect(whole?.byteLength ?? 0).toBeLessThan(50_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    await alice.get("/repos/alice/attributes").expect(200);
  });

  test("an archive that was sent before starts no process, and concurrent requests for a new one share a process", async () => {
    const download = async (name: string): Promise<Buffer> => {
      const response = await fetch(`${forge.url}/api/v1${r}/archive/${name}`, { headers: { authorization: `token ${alice.token}` } });
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    const herd = await forge.cost(() => Promise.all(Array.from({ length: 100 }, () => download(`${second}.zip?path=src`))));
    expect(new Set(herd.result.map((bytes) => bytes.toString("base64"))).size).toBe(1);
    // The archive, and the worker that reads objects.
    expect(herd.processes).toBeLessThanOrEqual(2);
    const again = await forge.cost(() => download(`${second}.zip?path=src`));
    expect([again.processes, again.result.equals(herd.result[0] ?? Buffer.alloc(0))]).toEqual([0, true]);
    const other = await forge.cost(() => download(`${second}.zip?path=README.md`));
    expect([other.processes, other.result.equals(again.result)]).toEqual([1, false]);
  });

  test("a client that disconnects ends the git process", async () => {
    await alice.post("/user/repos", { name: "large" }).expect(201);
    await push(client, alice, "alice/large", `${large}:refs/heads/main`);
    const { counters } = forge.context.git;
    await forge.settled();
    const idle = counters.running;
    const abort = new AbortController();
    const response = await fetch(`${forge.url}/api/v1/repos/alice/large/archive/main.zip`, { signal: abort.signal });
    expect(response.status).toBe(200);
    // The client does not read, so git blocks in the middle of a file that exceeds the pipe and socket buffers.
    expect(counters.running).toBe(idle + 1);
    abort.abort();
    await expect.poll(() => counters.running, { timeout: 5_000 }).toBe(idle);
  });
});
