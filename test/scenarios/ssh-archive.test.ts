import { execFileSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitRun, type GitUser } from "../kit/git-user.ts";
import { gitOverSsh, makeKeyPair, runSsh, type SshKeyPair, sshMissing, sshWords } from "../kit/ssh.ts";

/** `git archive --remote` over SSH with the stock git and OpenSSH's client. */

eachDialect((dialect) => {
  describe.skipIf(sshMissing !== undefined)(`git archive over SSH${sshMissing === undefined ? "" : ` (${sshMissing})`}`, () => {
    let forge: TestForge;
    let alice: TestUser;
    let work: GitUser;
    let port: number;
    let tip: string;
    const keys: Record<string, SshKeyPair> = {};

    const remote = (path: string): string => `--remote=ssh://git@127.0.0.1:${port}/${path}`;
    const attempt = (name: string, path: string, ...args: readonly string[]): Promise<GitRun> =>
      work.attempt(".", ...gitOverSsh(keys[name] as SshKeyPair, port), "archive", remote(path), ...args);
    /** @returns the file names in the archive */
    const archived = async (path: string, ...args: readonly string[]): Promise<string[]> => {
      expect(await attempt("alice", path, "-o", "out.tar", ...args)).toMatchObject({ code: 0, stderr: "" });
      return filesOf("out.tar");
    };
    const filesOf = (file: string): string[] =>
      execFileSync("tar", ["-tf", join(work.path, file)])
        .toString()
        .trim()
        .split("\n")
        .filter((name) => !name.endsWith("/"));

    beforeAll(async () => {
      work = await createGitUser();
      forge = await startForge({ dialect, environment: { HEARTH_SSH_ENABLED: "true", HEARTH_SSH_PORT: "0" } });
      const { sshState } = forge.forge;
      if (sshState.kind !== "open") throw new Error("the forge does not listen for SSH");
      port = sshState.port;
      const mallory = await forge.createUser("mallory");
      alice = await forge.createUser("alice");
      for (const user of [alice, mallory]) {
        const key = makeKeyPair(work.path, user.name);
        keys[user.name] = key;
        await user.post("/user/keys", { title: "laptop", key: key.publicKey }).expect(201);
      }
      await alice.post("/user/repos", { name: "demo", private: true }).expect(201);
      await work.init("source");
      await work.commit("source", { "a.txt": "one\n", "docs/guide.txt": "guide\n", "docs/img/x.txt": "x\n" });
      await work.git("source", "tag", "-a", "-m", "one", "v1");
      await work.git("source", "branch", "topic/x");
      tip = await work.commit("source", { "b.txt": "two\n" });
      const push = [...gitOverSsh(keys.alice as SshKeyPair, port), "push", "-q"];
      await work.git("source", ...push, `ssh://git@127.0.0.1:${port}/alice/demo.git`, "main", "v1", "topic/x");
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
    });

    test.each([
      ["HEAD", ["a.txt", "b.txt", "docs/guide.txt", "docs/img/x.txt"]],
      ["main", ["a.txt", "b.txt", "docs/guide.txt", "docs/img/x.txt"]],
      ["v1", ["a.txt", "docs/guide.txt", "docs/img/x.txt"]],
      ["topic/x", ["a.txt", "docs/guide.txt", "docs/img/x.txt"]],
      ["main:docs", ["guide.txt", "img/x.txt"]],
    ])("sends the files of %s", async (rev, files) => {
      expect(await archived("alice/demo.git", rev)).toEqual(files);
    });

    test("sends the files of a commit, some paths, and a prefix", async () => {
      expect(await archived("alice/demo", "--prefix=demo-1/", tip, "docs", "./b.txt")).toEqual([
        "demo-1/b.txt",
        "demo-1/docs/guide.txt",
        "demo-1/docs/img/x.txt",
      ]);
      expect(await archived("alice/demo", "--prefix", "p/", "main", "--", "a.txt")).toEqual(["p/a.txt"]);
      expect(await archived("alice/demo", "main", ".")).toEqual(["a.txt", "b.txt", "docs/guide.txt", "docs/img/x.txt"]);
    });

    test("the archive is byte-identical to one made from a clone", async () => {
      await archived("alice/demo.git", "main");
      const own = execFileSync("git", ["-C", join(work.path, "source"), "archive", "main"], {
        env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null" },
      });
      expect(execFileSync("cat", [join(work.path, "out.tar")]).equals(own)).toBe(true);
    });

    test.each(["tar.gz", "tgz", "zip"])("sends the format %s", async (format) => {
      const { code } = await attempt("alice", "alice/demo.git", "-9", `--format=${format}`, "-o", `out.${format}`, "main");
      expect(code).toBe(0);
      if (format === "zip") expect(execFileSync("python3", ["-m", "zipfile", "-l", join(work.path, "out.zip")]).toString()).toContain("docs/guide.txt");
      else expect(filesOf(`out.${format}`)).toContain("docs/guide.txt");
    });

    test("lists the formats", async () => {
      expect(await attempt("alice", "alice/demo.git", "--list")).toMatchObject({ code: 0, stdout: "tar\ntgz\ntar.gz\nzip\n" });
    });

    test("takes refs from the database, not from the disk", async () => {
      const stored = (await readdir(forge.dataDirectory, { recursive: true })).filter((name) => name.endsWith("/packed-refs"));
      expect(stored).not.toEqual([]);
      for (const name of stored) await rm(join(forge.dataDirectory, name));
      expect(await archived("alice/demo.git", "v1")).toContain("a.txt");
    });

    test.each([
      [["nosuch"], "unrecognized repository reference: nosuch"],
      [["main~20"], "unrecognized repository reference: main~20"],
      [["main", "nosuch.txt"], "rel_path: nosuch.txt"],
      [["main:nosuch"], "rel_path: nosuch"],
      [["--worktree-attributes", "main"], "this server does not support the option --worktree-attributes"],
      [["--format=rar", "main"], "this server does not support the archive format rar"],
    ])("rejects %j with the reason", async (args, reason) => {
      expect(await attempt("alice", "alice/demo.git", ...args)).toMatchObject({ code: 128, stdout: "", stderr: expect.stringContaining("NACK") });
      expect((await attempt("alice", "alice/demo.git", ...args)).stderr).toContain(reason);
    });

    test("a private repository answers like a missing one for other users", async () => {
      const hidden = await attempt("mallory", "alice/demo.git", "main");
      const missing = await attempt("mallory", "alice/none.git", "main");
      expect(hidden).toMatchObject({ code: 128, stdout: "", stderr: expect.stringContaining("Cannot find repository: alice/demo") });
      expect(missing.stderr.replaceAll("none", "demo")).toBe(hidden.stderr);
    });

    test.each([
      ["text that is not of the protocol", "GET / HTTP/1.1\r\n\r\n"],
      ["a packet that is no argument", "0008want0000"],
      ["too many arguments", `${"0011argument main".repeat(65)}0000`],
      ["nothing", ""],
    ])("%s starts no process", async (_what, input) => {
      const { processes } = forge.context.git.counters;
      const answer = await runSsh(sshWords(keys.alice as SshKeyPair, port, "-T", "git@127.0.0.1", "git-upload-archive 'alice/demo.git'"), { input });
      expect(answer.stdout).toMatch(/^$|NACK/);
      expect(forge.context.git.counters.processes).toBe(processes);
    });
  });
});
