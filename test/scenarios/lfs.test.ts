import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { gitOverSsh, makeKeyPair, type SshKeyPair, sshMissing } from "../kit/ssh.ts";

/** LFS with the stock git-lfs, over HTTP and with authentication over SSH. */

const lfsMissing = spawnSync("git-lfs", ["version"]).status === 0 ? sshMissing : "needs git-lfs";

let lastFolder = 0;
const folder = (): string => {
  lastFolder += 1;
  return `f${lastFolder}`;
};

eachDialect((dialect) => {
  describe.skipIf(lfsMissing !== undefined)(`git lfs${lfsMissing === undefined ? "" : ` (${lfsMissing})`}`, () => {
    let forge: TestForge;
    let alice: TestUser;
    let bob: TestUser;
    let work: GitUser;
    let key: SshKeyPair;
    let port: number;

    beforeAll(async () => {
      work = await createGitUser();
      forge = await startForge({ dialect, environment: { HEARTH_SSH_ENABLED: "true", HEARTH_SSH_PORT: "0" } });
      [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
      key = makeKeyPair(work.path, "key");
      await alice.post("/user/keys", { title: "k", key: key.publicKey }).expect(201);
      const { sshState } = forge.forge;
      if (sshState.kind !== "open") throw new Error("the forge does not listen for SSH");
      port = sshState.port;
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
    });

    /** A clone that tracks `*.bin` with LFS. */
    async function prepare(words: readonly string[], url: string): Promise<string> {
      const directory = folder();
      await work.git(".", ...words, "clone", "-q", url, directory);
      await work.git(directory, "lfs", "install", "--local");
      await work.git(directory, "lfs", "track", "*.bin");
      return directory;
    }

    test.each(["http", "ssh"])("files are uploaded and downloaded over %s", async (transport) => {
      const { ssh_url: overSsh } = await alice.post<{ ssh_url: string }>("/user/repos", { name: `files-${transport}`, private: true }).expect(201);
      const url = transport === "ssh" ? overSsh : `${alice.gitOrigin}/alice/files-http.git`;
      const words = transport === "ssh" ? gitOverSsh(key, port) : [];
      const directory = await prepare(words, url);
      const [large, small] = [randomBytes(2_000_000), randomBytes(10)];
      await work.commit(directory, { "large.bin": large, "small.bin": small, ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" });
      await work.git(directory, ...words, "push", "-q", "origin", "HEAD:main");
      expect(await work.git(directory, "cat-file", "-p", "HEAD:large.bin")).toContain("oid sha256:");

      const back = folder();
      await work.git(
        ".",
        ...words,
        "-c",
        "filter.lfs.smudge=git-lfs smudge -- %f",
        "-c",
        "filter.lfs.process=git-lfs filter-process",
        "-c",
        "filter.lfs.required=true",
        "clone",
        "-q",
        url,
        back,
      );
      for (const [name, content] of [
        ["large.bin", large],
        ["small.bin", small],
      ] as const)
        expect(readFileSync(join(work.path, back, name)).equals(content)).toBe(true);
      const stored = await forge.context.db.sql
        .selectFrom("lfs_objects")
        .select(["oid", "size_bytes"])
        .where("oid", "=", createHash("sha256").update(large).digest("hex"))
        .execute();
      expect(stored).toMatchObject([{ size_bytes: 2_000_000 }]);
    });

    test("locks are created, visible to others and deleted", async () => {
      await alice.post("/user/repos", { name: "locked" }).expect(201);
      await alice.put("/repos/alice/locked/collaborators/bob", { permission: "write" }).expect(204);
      const directory = await prepare([], `${alice.gitOrigin}/alice/locked.git`);
      await work.commit(directory, { "a.bin": randomBytes(100), ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text lockable\n" });
      await work.git(directory, "push", "-q", "origin", "HEAD:main");
      expect(await work.git(directory, "lfs", "lock", "a.bin")).toContain("Locked a.bin");
      const theirs = await prepare([], `${bob.gitOrigin}/alice/locked.git`);
      expect(await work.git(theirs, "lfs", "locks")).toMatch(/a\.bin\s+alice/);
      const refused = await work.attempt(theirs, "lfs", "lock", "a.bin");
      expect(refused.code).not.toBe(0);
      await work.git(directory, "lfs", "unlock", "a.bin");
      expect(await work.git(theirs, "lfs", "locks")).toBe("");
    });

    test("users without write access cannot upload", async () => {
      await alice.post("/user/repos", { name: "readable" }).expect(201);
      const directory = await prepare([], `${bob.gitOrigin}/alice/readable.git`);
      await work.commit(directory, { "b.bin": randomBytes(1_000), ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" });
      expect((await work.attempt(directory, "lfs", "push", "origin", "main")).code).not.toBe(0);
      expect((await work.attempt(directory, "push", "origin", "HEAD:main")).code).not.toBe(0);
    });
  });
});
