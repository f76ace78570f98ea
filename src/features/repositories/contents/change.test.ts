import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";
import { storePath } from "../../../git/stores.ts";

const run = promisify(execFile);
const b64 = (text: string | Buffer): string => Buffer.from(text).toString("base64");
const client = createClient();
afterAll(() => client.remove());
const linkOid = client.pipe("/tmp", "hash-object", "-w", "--stdin").toString().trim();
const submoduleOid = "87e01a38f585df7d4f40110cc6be9b2f42ed08b3";
client.git("update-index", "--add", "--cacheinfo", `120000,${linkOid},link`);
client.git("update-index", "--add", "--cacheinfo", `120000,${linkOid},dirlink`);
client.git("update-index", "--add", "--cacheinfo", `160000,${submoduleOid},sub`);
client.git("update-index", "--add", "--cacheinfo", `100755,${linkOid},run.sh`);
const pushed = client.commit({ "README.md": "# Hello\n", "docs/a.md": "a\n", "docs/b.md": "b\n", "bad\u001bname": "x" });

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let count = 0;
  beforeAll(async () => {
    forge = await startForge({ dialect, environment: { HEARTH_REPOSITORIES_MAX_FILE_BYTES: "100000" } });
    alice = await forge.createUser("alice", { full_name: "Alice Able" });
    bob = await forge.createUser("bob");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const empty = async (options: object = {}): Promise<string> => {
    count += 1;
    await alice.post("/user/repos", { name: `c${count}`, ...options }).expect(201);
    return `/repos/alice/c${count}`;
  };
  const filled = async (): Promise<string> => {
    const r = await empty();
    await push(client, alice, r.slice("/repos/".length), "main");
    return r;
  };
  const storeOf = async (r: string): Promise<string> => {
    await forge.settled();
    const { id } = await alice.get(r).expect(200);
    const { db, git } = forge.context;
    const { code_store_id } = await db.sql.selectFrom("repositories").select("code_store_id").where("id", "=", id).executeTakeFirstOrThrow();
    return storePath(git.root, code_store_id);
  };
  const git = async (directory: string, ...args: string[]): Promise<string> => (await run("git", ["-C", directory, ...args])).stdout;
  const shaOf = async (r: string, path: string): Promise<string> => (await alice.get(`${r}/contents/${path}`).expect(200)).sha;
  const tree = async (r: string, rev = "main"): Promise<string> => git(await storeOf(r), "ls-tree", "-r", "--format=%(objectmode) %(path)", rev);

  describe("changing one file", () => {
    test("creates a file in an empty repository, and further ones", async () => {
      const r = await empty();
      const dates = { author: "2020-01-02T03:04:05Z", committer: "2020-01-02T03:04:06+02:00" };
      const author = { name: "A U", email: "au@x.example" };
      const committer = { name: "C M", email: "cm@x.example" };
      const first = await alice.post(`${r}/contents/new/file.txt`, { content: b64("hello\n"), message: "msg", author, committer, dates }).expect(201);
      expect(first.content).toMatchObject({
        path: "new/file.txt",
        sha: "ce013625030ba8dba906f756967f9e9ca394464a",
        last_commit_sha: first.commit.sha,
        last_committer_date: "2020-01-02T03:04:06+02:00",
        content: "aGVsbG8K",
        url: `${forge.url}/api/v1${r}/contents/new/file.txt?ref=main`,
      });
      expect(first.commit).toMatchObject({
        author: { ...author, date: "2020-01-02T03:04:05Z" },
        committer: { ...committer, date: "2020-01-02T01:04:06Z" },
        parents: [],
        message: "msg\n",
        created: "0001-01-01T00:00:00Z",
      });
      expect(first.verification).toMatchObject({ verified: false, reason: "gpg.error.not_signed_commit" });
      const second = await alice.post(`${r}/contents/other`, {}).expect(201);
      expect(second.content).toMatchObject({ size: 0, content: "", encoding: "base64" });
      expect(second.commit).toMatchObject({ message: "Add other\n", author: { name: "Alice Able", email: "alice@example.com" } });
      expect(second.commit.parents.map(({ sha }: { sha: string }) => sha)).toEqual([first.commit.sha]);
      expect(await alice.get(r).expect(200)).toMatchObject({ empty: false, branch_count: 1 });
      const store = await storeOf(r);
      expect((await git(store, "rev-parse", "refs/heads/main")).trim()).toBe(second.commit.sha);
      expect((await git(store, "rev-parse", "main^{tree}")).trim()).toBe(second.commit.tree.sha);
      await git(store, "fsck", "--strict", "--full");
    });

    test("updates, moves and deletes a file if the given sha matches", async () => {
      const r = await filled();
      const sha = await shaOf(r, "README.md");
      const updated = await alice.put(`${r}/contents/README.md`, { content: b64("# Two\n"), sha }).expect(200);
      expect(updated.commit.message).toBe("Update README.md\n");
      expect(await alice.put(`${r}/contents/README.md`, { content: b64("x"), sha }).expect(422)).toMatchObject({
        message: `sha does not match [given: ${sha}, expected: ${updated.content.sha}]`,
      });
      expect(await alice.put(`${r}/contents/README.md`, { content: b64("x") }).expect(422)).toMatchObject({
        message: "repository file already exists [path: README.md]",
      });
      expect(await alice.put(`${r}/contents/nosuch`, { content: b64("x"), sha }).expect(404)).toMatchObject({
        message: "object does not exist [id: , rel_path: nosuch]",
      });
      await alice.put(`${r}/contents/by-put.txt`, { content: b64("put") }).expect(201);
      const moved = await alice.put(`${r}/contents/deep/er/R.md`, { content: b64("# Two\n"), sha: updated.content.sha, from_path: "README.md" }).expect(200);
      expect(moved.content.path).toBe("deep/er/R.md");
      await alice.get(`${r}/contents/README.md`).expect(404);
      await alice.put(`${r}/contents/c.md`, { content: "", from_path: "docs/b.md" }).expect(200);
      expect((await alice.get(`${r}/raw/c.md`)).text).toBe("b\n");
      await alice.get(`${r}/contents/docs/b.md`).expect(404);
      await alice.put(`${r}/contents/docs/b.md`, { content: b64("other"), from_path: "c.md" }).expect(200);
      await alice.put(`${r}/contents/docs/a.md`, { content: "", sha: moved.content.sha, from_path: "deep/er/R.md" }).expect(422);
      expect(await alice.delete(`${r}/contents/deep/er/R.md`, {}).expect(422)).toMatchObject({ message: "[SHA]: Required" });
      expect(await alice.delete(`${r}/contents/deep/er/R.md`, { sha }).expect(422)).toMatchObject({ message: expect.stringMatching(/^sha does not match/) });
      const gone = await alice.delete(`${r}/contents/deep/er/R.md`, { sha: moved.content.sha, message: "rm" }).expect(200);
      expect(gone).toMatchObject({ content: null, commit: { message: "rm\n" } });
      expect(await alice.delete(`${r}/contents/deep/er/R.md`, { sha: moved.content.sha }).expect(404)).toMatchObject({
        message: expect.stringContaining("rel_path: deep/er/R.md"),
      });
      await alice.delete(`${r}/contents/by-put.txt?sha=${await shaOf(r, "by-put.txt")}&message=from%20the%20query`).expect(200);
      await alice
        .delete(`${r}/contents/docs`, {
          sha: (await alice.get(`${r}/git/trees/main`).expect(200)).tree.find(({ path }: { path: string }) => path === "docs").sha,
        })
        .expect(200);
      expect(await tree(r)).toBe("100644 bad\u001bname\n120000 dirlink\n120000 link\n100755 run.sh\n160000 sub\n".replace("bad\u001bname", '"bad\\033name"'));
      expect((await git(await storeOf(r), "log", "-1", "--format=%s")).trim()).toBe("Delete docs");
      await git(await storeOf(r), "fsck", "--strict", "--full");
    });

    test("an update with the same content creates an empty commit", async () => {
      const r = await filled();
      const before = await alice.get(`${r}/contents/README.md`).expect(200);
      const same = await alice.put(`${r}/contents/README.md`, { content: before.content, sha: before.sha, message: "again" }).expect(200);
      expect(same.commit.sha).not.toBe(pushed);
      expect(same.commit.parents[0].sha).toBe(pushed);
      expect(same.content.last_commit_sha).toBe(before.last_commit_sha);
    });

    test("commits to a new branch, or replaces a branch with force", async () => {
      const r = await filled();
      const made = await alice.post(`${r}/contents/x.txt`, { content: b64("x"), new_branch: "feat/x" }).expect(201);
      expect(made.content.url).toContain("?ref=feat%2Fx");
      expect(made.content.html_url).toContain("/src/branch/feat/x/x.txt");
      await alice.get(`${r}/contents/x.txt`).expect(404);
      expect(await alice.post(`${r}/contents/y.txt`, { new_branch: "feat/x" }).expect(422)).toMatchObject({ message: "branch already exists [name: feat/x]" });
      const forced = await alice.post(`${r}/contents/y.txt`, { new_branch: "feat/x", force_push: true }).expect(201);
      expect(forced.commit.parents[0].sha).toBe(pushed);
      await alice.post(`${r}/contents/z.txt`, { branch: "feat/x" }).expect(201);
      expect(await alice.post(`${r}/contents/full-name.txt`, { branch: "refs/heads/feat/x" }).expect(201)).toMatchObject({
        content: { url: expect.stringContaining("?ref=feat%2Fx") },
      });
      expect(await alice.post(`${r}/contents/y.txt`, { branch: "nosuch" }).expect(404)).toMatchObject({
        message: expect.stringMatching(/^branch does not exist \[repo_id: \d+ name: nosuch\]$/),
      });
      for (const new_branch of ["bad..name", "-x", "HEAD", "feat", "feat/x/y", pushed, "refs/heads/x", "a b"])
        await alice.post(`${r}/contents/n`, { new_branch }).expect(422);
      for (const branch of ["refs/tags/main", pushed, "main~1", "--output=x"])
        expect([404, 422]).toContain((await alice.post(`${r}/contents/n`, { branch })).status);
      expect((await git(await storeOf(r), "for-each-ref", "--format=%(refname)")).trim()).toBe("refs/heads/feat/x\nrefs/heads/main");
    });

    test("records the given author and committer, and keeps hidden addresses private", async () => {
      const r = await filled();
      await alice.patch("/user/settings", { hide_email: true }).expect(200);
      const hidden = await alice.post(`${r}/contents/h`, { signoff: true, message: "signed" }).expect(201);
      await alice.patch("/user/settings", { hide_email: false }).expect(200);
      const noreply = `${alice.id}+alice@noreply.127.0.0.1`;
      expect(hidden.commit.author).toMatchObject({ name: "Alice Able", email: noreply });
      expect(hidden.commit.message).toBe(`signed\n\nSigned-off-by: Alice Able <${noreply}>`);
      const one = await alice.post(`${r}/contents/i`, { author: { email: "x@example.com" }, dates: { author: "0001-01-01T00:00:00Z" } }).expect(201);
      expect(one.commit).toMatchObject({ author: { name: "Alice Able", email: "x@example.com" }, committer: { name: "Alice Able", email: "x@example.com" } });
      expect(one.commit.author.date > "2020").toBe(true);
      const { commit } = await alice.post(`${r}/contents/l`, { committer: { name: "C", email: "c@x.example" } }).expect(201);
      expect(commit.author).toMatchObject({ name: "C", email: "c@x.example" });
      const sly = { name: "Eve\nparent 0000 <x@y> 1 +0000", email: "e@x.org" };
      await alice.post(`${r}/contents/j`, { author: sly, message: "a\n\ntree of lies\n" }).expect(201);
      for (const wrong of [
        { dates: { author: "1969-12-31T23:59:59Z" } },
        { dates: { author: "tomorrow" } },
        { message: "a\0b" },
        { author: { name: "x".repeat(101) } },
      ]) {
        await alice.post(`${r}/contents/k`, wrong).expect(422);
      }
      await git(await storeOf(r), "fsck", "--strict", "--full");
    });
  });

  describe("rejected changes", () => {
    test("rejects content that is not base64 or too large", async () => {
      const r = await empty();
      for (const [content, at] of [
        ["***not base64***", 0],
        ["aGVsbG8", 4],
        ["aGVs bG8=", 4],
        ["aG=sbG8=", 2],
        ["=", 0],
      ] as const) {
        expect(await alice.post(`${r}/contents/x`, { content }).expect(422)).toMatchObject({ message: `illegal base64 data at input byte ${at}` });
      }
      await alice.post(`${r}/contents/x`, { content: "aGVs\r\nbG8=\n" }).expect(201);
      await alice.post(`${r}/contents/large`, { content: b64(Buffer.alloc(100_001)) }).expect(413);
      await alice.post(`${r}/contents/larger`, { content: b64(Buffer.alloc(1_000_000)) }).expect(413);
      await alice.post(`${r}/contents/fits`, { content: b64(Buffer.alloc(100_000)) }).expect(201);
    });

    test("rejects paths that are invalid in a working tree", async () => {
      const r = await filled();
      const bad = [".git/config", "a/.GIT/x", ".git", "a/git~1", ".g\u200cit/x", "x".repeat(300), "new\nline", "tab\tx", "esc\u001b", "a/./b\u007f"];
      for (const path of bad) {
        const answer = await alice.post(`${r}/contents`, { files: [{ operation: "create", path, content: "" }] });
        expect({ path, status: answer.status, message: answer.json.message }).toEqual({
          path,
          status: 422,
          message: `path contains a malformed path component [path: ${path}]`,
        });
      }
      for (const path of ["../up", "a/../../b", "..", ".", "a/./b", "nul\0x", `${"d/".repeat(2100)}x`, "\ud800"]) {
        expect([404, 422]).toContain((await alice.post(`${r}/contents`, { files: [{ operation: "create", path, content: "" }] })).status);
      }
      expect((await alice.post(`${r}/contents/%ff`, {})).status).toBe(404);
      expect((await alice.post(`${r}/contents/a%00b`, {})).status).toBe(404);
      expect((await alice.post(`${r}/contents/..%2fup`, {})).status).toBe(404);
      await alice.post(`${r}/contents/-leading`, {}).expect(201);
      await alice.delete(`${r}/contents/bad%1bname`, { sha: await shaOf(r, "bad%1bname") }).expect(200);
      await git(await storeOf(r), "fsck", "--strict", "--full");
    });

    test("rejects a file in place of a directory, and a directory in place of a file", async () => {
      const r = await filled();
      expect(await alice.post(`${r}/contents/docs`, {}).expect(422)).toMatchObject({
        message: "a directory exists where you’re trying to create a file [path: docs]",
      });
      expect(await alice.post(`${r}/contents/README.md/below/it`, {}).expect(422)).toMatchObject({
        message: "a file exists where you’re trying to create a subdirectory [path: README.md]",
      });
    });

    test("never follows symbolic links and never writes to submodules", async () => {
      const r = await filled();
      for (const path of ["dirlink/x", "link/x/y", "sub/x"]) await alice.post(`${r}/contents/${path}`, { content: b64("x") }).expect(422);
      await alice.put(`${r}/contents/sub`, { content: b64("x"), sha: submoduleOid }).expect(422);
      await alice.post(`${r}/contents`, { files: [{ operation: "upload", path: "sub", content: b64("x") }] }).expect(422);
      await alice.put(`${r}/contents/link`, { content: b64("no link any more"), sha: linkOid }).expect(200);
      await alice.put(`${r}/contents/run.sh`, { content: b64("echo"), sha: linkOid }).expect(200);
      await alice
        .post(`${r}/contents`, {
          files: [
            { operation: "rename", path: "moved/link", from_path: "dirlink" },
            { operation: "rename", path: "moved/sub", from_path: "sub" },
          ],
        })
        .expect(201);
      await alice.post(`${r}/contents`, { files: [{ operation: "rename", path: "moved/link", from_path: "README.md" }] }).expect(422);
      expect(await tree(r)).toContain("100644 link\n120000 moved/link\n160000 moved/sub\n100755 run.sh\n");
      await alice.delete(`${r}/contents/moved/link`, { sha: linkOid }).expect(200);
      expect(await tree(r)).not.toContain("moved/link");
    });

    test("rejects callers without write permission, and repositories that cannot be edited", async () => {
      const r = await filled();
      const refused = { message: "user should have a permission to write to the target branch" };
      for (const call of [
        bob.post(`${r}/contents/x`, {}),
        bob.put(`${r}/contents/x`, {}),
        bob.delete(`${r}/contents/x`, { sha: linkOid }),
        bob.post(`${r}/contents`, { files: [] }),
      ]) {
        expect(await call.expect(403)).toMatchObject(refused);
      }
      await forge.anonymous.post(`${r}/contents/x`, {}).expect(401);
      await alice.put(`${r}/collaborators/bob`, { permission: "write" }).expect(204);
      await bob.post(`${r}/contents/by-bob`, {}).expect(201);
      await alice.patch(r, { archived: true }).expect(200);
      expect(await alice.post(`${r}/contents/x`, {}).expect(423)).toMatchObject({ message: `${r.slice("/repos/".length)} is not allowed to edit` });
      const hidden = await empty({ private: true });
      await bob.post(`${hidden}/contents/x`, {}).expect(404);
    });
  });

  describe("several files in one commit", () => {
    test("creates, updates, moves and deletes files, each step on top of the previous ones", async () => {
      const r = await filled();
      const files = [
        { operation: "create", path: "/batch//one.txt", content: b64("1") },
        { operation: "update", path: "README.md", content: b64("# Batch\n"), sha: await shaOf(r, "README.md") },
        { operation: "delete", path: "docs/a.md", sha: await shaOf(r, "docs/a.md") },
        { operation: "rename", path: "docs/c.md", from_path: "docs/b.md" },
        { operation: "rename", path: "batch/two.txt", from_path: "batch/one.txt" },
        { operation: "upload", path: "docs/c.md", content: b64("c") },
        { operation: "delete", path: "run.sh", sha: linkOid },
        { operation: "create", path: "run.sh/now/a/directory", content: "" },
      ];
      const made = await alice.post(`${r}/contents`, { files }).expect(201);
      expect(made.files.map((file: { path: string } | null) => file?.path ?? null)).toEqual([
        null,
        "README.md",
        null,
        "docs/c.md",
        "batch/two.txt",
        "docs/c.md",
        null,
        "run.sh/now/a/directory",
      ]);
      expect(made.commit.message).toBe(
        "Add batch/one.txt, run.sh/now/a/directory\nUpdate README.md, docs/c.md, batch/two.txt, docs/c.md\nDelete docs/a.md, run.sh\n",
      );
      expect(made.files[5]).toMatchObject({ content: b64("c"), last_commit_sha: made.commit.sha });
      const store = await storeOf(r);
      expect(await git(store, "diff", "--name-status", "--no-renames", "main~1", "main")).toBe(
        "M\tREADME.md\nA\tbatch/two.txt\nD\tdocs/a.md\nD\tdocs/b.md\nA\tdocs/c.md\nD\trun.sh\nA\trun.sh/now/a/directory\n",
      );
      await git(store, "fsck", "--strict", "--full");
    });

    test("applies all changes or none", async () => {
      const r = await filled();
      const sha = await shaOf(r, "README.md");
      const fine = { operation: "create", path: "p1.txt", content: b64("1") };
      for (const [bad, status] of [
        [{ operation: "update", path: "nosuch.txt", content: "", sha }, 404],
        [{ operation: "update", path: "README.md", content: "" }, 422],
        [{ operation: "delete", path: "README.md" }, 422],
        [{ operation: "explode", path: "x", content: "" }, 422],
        [{ operation: "create", path: "", content: "" }, 422],
        [{ operation: "create", path: "/", content: "" }, 422],
        [{ operation: "rename", path: "x" }, 422],
        [{ operation: "rename", path: "x", from_path: "docs" }, 422],
        [{ operation: "create", path: "p1.txt", content: "" }, 422],
        [{ operation: "create", path: "p1.txt/below", content: "" }, 422],
        [{ operation: "__proto__", path: "x" }, 422],
      ] as const) {
        const answer = await alice.post(`${r}/contents`, { files: [fine, bad] });
        expect({ bad, status: answer.status }).toEqual({ bad, status });
      }
      await alice.post(`${r}/contents`, { message: "nofiles" }).expect(422);
      await alice.get(`${r}/contents/p1.txt`).expect(404);
      expect((await alice.get(`${r}/branches/main`).expect(200)).commit.id).toBe(pushed);
      expect(await alice.post(`${r}/contents`, { files: [] }).expect(201)).toMatchObject({ files: null, commit: { message: "\n" } });
    });
  });

  describe("concurrent changes", () => {
    test("twenty concurrent changes of different files on one branch all succeed", async () => {
      const r = await empty();
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => alice.post(`${r}/contents/dir/f${n}`, { content: b64(`${n}`) })));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
      expect(await alice.get(`${r}/contents/dir`).expect(200)).toHaveLength(20);
      const store = await storeOf(r);
      expect((await git(store, "rev-list", "--count", "main")).trim()).toBe("20");
      await git(store, "fsck", "--strict", "--full");
    });

    test("concurrent edits of one branch through API and pages move it once each", async () => {
      const r = await filled();
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      const path = `${r.slice("/repos".length)}/_new/main`;
      const form = await browser.get(path);
      const { result, statements } = await forge.cost(() =>
        Promise.all([
          ...Array.from({ length: 4 }, (_, n) => alice.post(`${r}/contents/api${n}`, {})),
          ...Array.from({ length: 4 }, (_, n) => browser.submit(form, path, { path: `page${n}`, content: "x" })),
        ]),
      );
      expect(result.map(({ status }) => status)).toEqual([...Array(4).fill(201), ...Array(4).fill(303)]);
      // Each attempt to move the branch reads its repository once in the transaction: there was no second attempt.
      expect(statements.filter((sql) => sql.startsWith('select "r"."code_store_id"'))).toHaveLength(8);
    });

    test("of concurrent requests to create the same file, one succeeds and the others get 422", async () => {
      const r = await empty();
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => alice.post(`${r}/contents/same`, { content: b64(`${n}`) })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
      const sha = await shaOf(r, "same");
      const updates = await Promise.all(Array.from({ length: 10 }, (_, n) => alice.put(`${r}/contents/same`, { content: b64(`new ${n}`), sha })));
      expect(updates.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
      const branches = await Promise.all(Array.from({ length: 5 }, (_, n) => alice.post(`${r}/contents/on${n}`, { new_branch: "one" })));
      expect(branches.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
    });

    test("a concurrent push loses no change and is not lost", async () => {
      const r = await filled();
      const name = r.slice("/repos/".length);
      client.git("checkout", "-q", "-B", "racing", pushed);
      const pushing = push(client, alice, name, `${client.commit({ "pushed.txt": "x" })}:refs/heads/main`).then(
        () => true,
        () => false,
      );
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => alice.post(`${r}/contents/api${n}`, {})));
      const wasPushed = await pushing;
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
      const listed = (await alice.get(`${r}/contents`).expect(200)).map(({ name }: { name: string }) => name);
      expect(listed).toEqual(expect.arrayContaining(Array.from({ length: 8 }, (_, n) => `api${n}`)));
      expect(listed.includes("pushed.txt")).toBe(wasPushed);
    });
  });

  test("a SHA-256 repository can be edited", async () => {
    const r = await empty({ object_format_name: "sha256" });
    const made = await alice.post(`${r}/contents/a/b.txt`, { content: b64("hello\n") }).expect(201);
    expect(made.content.sha).toHaveLength(64);
    await alice.put(`${r}/contents/a/b.txt`, { content: b64("two\n"), sha: made.content.sha }).expect(200);
    expect((await alice.get(`${r}/raw/a/b.txt`)).text).toBe("two\n");
    await git(await storeOf(r), "fsck", "--strict", "--full");
  });

  test("a change takes one transaction, no process, and the objects along its path", async () => {
    const r = await filled();
    await alice.post(`${r}/contents/warm/up`, {}).expect(201);
    await forge.settled();
    const { result, statements, processes } = await forge.cost(() => alice.post(`${r}/contents/a/b/c/d.txt`, { content: b64("deep") }).expect(201));
    expect(processes).toBe(0);
    // Eleven statements of the request itself; follow-up jobs may already have started.
    expect(statements.length).toBeLessThanOrEqual(18);
    for (const table of ["refs", "events"]) expect(statements.filter((sql) => sql.startsWith(`insert into "${table}"`))).toHaveLength(1);
    const store = await storeOf(r);
    const objects = (await git(store, "rev-list", "--objects", result.commit.sha, `^${result.commit.parents[0].sha}`)).trim().split("\n");
    expect(objects).toHaveLength(6);
  });
});
