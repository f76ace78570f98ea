import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { expectNothingOutside, outsideFolder } from "../../../../test/kit/outside.ts";
import { push } from "../../../../test/kit/push.ts";
import { storePath } from "../../../git/stores.ts";

const run = promisify(execFile);
const client = createClient();
afterAll(() => client.remove());
const linkOid = client.pipe(outsideFolder, "hash-object", "-w", "--stdin").toString().trim();
client.git("update-index", "--add", "--cacheinfo", `120000,${linkOid},link`);
const numbers = Array.from({ length: 40 }, (_, n) => `line ${n}\n`).join("");
const first = client.commit({ "README.md": "# Hello\n", "docs/a.txt": numbers, "gone.txt": "x\n", "old/name.txt": "moved\n", "swap/file": "s\n" });
client.git("update-index", "--cacheinfo", `100755,${client.git("rev-parse", "HEAD:README.md")},README.md`);
client.git("update-index", "--force-remove", "old/name.txt");
const second = client.commit({
  "docs/a.txt": `first\n${numbers.replace("line 20\n", "line twenty\n")}`,
  "gone.txt": undefined,
  "new/name.txt": "moved\n",
  "new/bin.dat": Buffer.from([...Array(256).keys()]),
  'ünï "q".txt': "x\n",
  "swap/file": undefined,
  swap: "now a file\n",
});
const patch = client.pipe("", "diff", "--binary", "--find-renames", first, second).toString();

const creates = (path: string, mode = "100644", content = "pwned\n"): string =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\nindex 0000000..1111111\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${content}`;

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let count = 0;
  beforeAll(async () => {
    forge = await startForge({ dialect, environment: { HEARTH_REPOSITORIES_MAX_FILE_BYTES: "100000" } });
    alice = await forge.createUser("alice");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const empty = async (): Promise<string> => {
    count += 1;
    await alice.post("/user/repos", { name: `p${count}` }).expect(201);
    return `/repos/alice/p${count}`;
  };
  const filled = async (): Promise<string> => {
    const r = await empty();
    await push(client, alice, r.slice("/repos/".length), `${first}:refs/heads/main`);
    return r;
  };
  const storeOf = async (r: string): Promise<string> => {
    await forge.settled();
    const { id } = await alice.get(r).expect(200);
    const { db, git } = forge.context;
    const { code_store_id } = await db.sql.selectFrom("repositories").select("code_store_id").where("id", "=", id).executeTakeFirstOrThrow();
    return storePath(git.root, code_store_id);
  };
  const leftovers = async (r: string): Promise<string[]> => (await readdir(join(await storeOf(r), "objects"))).filter((name) => name.startsWith("tmp_"));

  describe("applying a patch", () => {
    test("creates the same tree as git", async () => {
      const r = await filled();
      const made = await alice.post(`${r}/diffpatch`, { content: patch, message: "patch it" }).expect(201);
      expect(made).toMatchObject({ content: null, commit: { message: "patch it\n", parents: [{ sha: first }] } });
      expect(made.commit.tree.sha).toBe(client.git("rev-parse", `${second}^{tree}`));
      const store = await storeOf(r);
      expect((await run("git", ["-C", store, "rev-parse", "main"])).stdout.trim()).toBe(made.commit.sha);
      await run("git", ["-C", store, "fsck", "--strict", "--full"]);
      expect(await leftovers(r)).toEqual([]);
      expect(await alice.post(`${r}/diffpatch`, { content: patch }).expect(422)).toMatchObject({ message: expect.stringContaining("cannot be applied") });
    });

    test("works in an empty repository, and on a new branch", async () => {
      const r = await empty();
      const made = await alice.post(`${r}/diffpatch`, { content: creates("a/b.txt", "100644", "Hello\n") }).expect(201);
      expect(made.commit).toMatchObject({ message: "apply-patch\n", parents: [] });
      await alice.post(`${r}/diffpatch`, { content: creates("c.txt"), new_branch: "side" }).expect(201);
      await alice.get(`${r}/contents/c.txt?ref=side`).expect(200);
      await alice.get(`${r}/contents/c.txt`).expect(404);
    });

    test("rejects a patch that leads out of the tree without writing", async () => {
      const r = await filled();
      const throughLink = `${creates("via", "120000", `${outsideFolder}\n\\ No newline at end of file\n`)}${creates("via/hearth-patch-test")}`;
      const rename = "diff --git a/README.md b/../x\nsimilarity index 100%\nrename from README.md\nrename to ../x\n";
      const refused = [
        creates("../x"),
        creates("a/../../x"),
        creates(`${outsideFolder}/hearth-patch-test`),
        creates(".git/config"),
        creates(".GIT/config"),
        creates("git~1/x"),
        creates("link/hearth-patch-test"),
        throughLink,
        rename,
        rename.replace("../x", ".git/x"),
        creates(".gitmodules", "120000", "x\n"),
        creates('"ctl\\033x"').replace(/ [ab]\/"/g, (text) => text.replace(/([ab]\/)"/, '"$1')),
        "not a patch",
        "",
        "diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# Other\n+x\n",
      ];
      for (const content of refused) {
        const answer = await alice.post(`${r}/diffpatch`, { content });
        expect({ content, status: answer.status }).toEqual({ content, status: 422 });
        expect(answer.json.message).not.toContain(forge.dataDirectory);
      }
      expectNothingOutside();
      expect((await alice.get(`${r}/branches/main`).expect(200)).commit.id).toBe(first);
      expect(await leftovers(r)).toEqual([]);
    });

    test("rejects a small patch that expands to a huge file", async () => {
      const r = await filled();
      const zeros = createClient();
      try {
        zeros.commit({ "zeros.bin": Buffer.alloc(2_000_000) });
        const bomb = zeros.pipe("", "show", "--binary", "--format=", "HEAD").toString();
        expect(bomb.length).toBeLessThan(20_000);
        await alice.post(`${r}/diffpatch`, { content: bomb }).expect(413);
      } finally {
        zeros.remove();
      }
      expect(await leftovers(r)).toEqual([]);
    });

    test("requires write permission", async () => {
      const r = await filled();
      const bob = await forge.createUser("bob");
      expect(await bob.post(`${r}/diffpatch`, { content: creates("x") }).expect(403)).toMatchObject({
        message: "user should have a permission to write to the target branch",
      });
    });
  });
});
