import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onSqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { polling } from "../kit/polling.ts";
import { gitProcessesOn } from "../kit/processes.ts";
import { gitOverSsh, makeKeyPair, runSsh, type SshKeyPair, sshMissing, sshWords } from "../kit/ssh.ts";

/** Fetches and pushes over SSH with the stock git and OpenSSH's client. */

let lastFolder = 0;
const folder = (): string => {
  lastFolder += 1;
  return `f${lastFolder}`;
};

onSqlite((dialect) => {
  describe.skipIf(sshMissing !== undefined)(`git over SSH${sshMissing === undefined ? "" : ` (${sshMissing})`}`, () => {
    let forge: TestForge;
    let alice: TestUser;
    let work: GitUser;
    let key: SshKeyPair;
    let port: number;
    let url: string;
    /** Git with alice's key. */
    const git = (directory: string, ...args: readonly string[]) => work.git(directory, ...gitOverSsh(key, port), ...args);
    const attempt = (directory: string, ...args: readonly string[]) => work.attempt(directory, ...gitOverSsh(key, port), ...args);
    const count = async (directory: string, rev = "HEAD"): Promise<number> => Number(await work.git(directory, "rev-list", "--count", rev));
    const makeRepository = async (name: string): Promise<string> => (await alice.post<{ ssh_url: string }>("/user/repos", { name }).expect(201)).ssh_url;
    const noGitLeft = (): Promise<void> => expect.poll(() => gitProcessesOn(forge.dataDirectory), polling).toEqual([]);

    beforeAll(async () => {
      work = await createGitUser();
      forge = await startForge({ dialect, environment: { HEARTH_SSH_ENABLED: "true", HEARTH_SSH_PORT: "0" } });
      alice = await forge.createUser("alice");
      key = makeKeyPair(work.path, "alice-key");
      await alice.post("/user/keys", { title: "laptop", key: key.publicKey }).expect(201);
      const { sshState } = forge.forge;
      if (sshState.kind !== "open") throw new Error("the forge does not listen for SSH");
      port = sshState.port;
      url = await makeRepository("history");
      await work.init("origin");
      for (let index = 1; index <= 8; index += 1) {
        await work.commit("origin", { "file.txt": `version ${index}\n`, [`big-${index}.bin`]: Buffer.alloc(20_000, index) }, `commit ${index}`);
        if (index === 4) await work.git("origin", "branch", "side");
      }
      await work.git("origin", "tag", "-a", "-m", "one", "v1", "main~5");
      await git("origin", "push", "-q", url, "main", "side", "--tags");
      await forge.settled();
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
    });

    test("a wiki is pushed and cloned like a repository", async () => {
      const wiki = (await makeRepository("with-wiki")).replace(/\.git$/, ".wiki.git");
      const [directory, copy] = [folder(), folder()];
      await work.init(directory);
      await work.commit(directory, { "Home.md": "# Home\n" }, "first page");
      await git(directory, "push", "-q", wiki, "HEAD:refs/heads/main");
      expect(await alice.get("/repos/alice/with-wiki/wiki/page/Home").expect(200)).toMatchObject({
        content_base64: Buffer.from("# Home\n").toString("base64"),
      });
      await git(".", "clone", "-q", wiki, copy);
      expect(await count(copy)).toBe(1);
    });

    test("the SSH URL of a repository works", () => {
      expect(url).toBe(`ssh://git@127.0.0.1:${port}/alice/history.git`);
    });

    describe.each([0, 1, 2])("protocol version %d", (version) => {
      const withVersion = (directory: string, ...args: readonly string[]) => git(directory, "-c", `protocol.version=${version}`, ...args);

      test("a clone is complete, and a fetch gets new commits", async () => {
        const directory = folder();
        await withVersion(".", "clone", "-q", url, directory);
        await work.git(directory, "fsck", "--full", "--strict");
        expect(await withVersion(directory, "ls-remote", "origin")).toBe(await work.git("origin", "ls-remote", "."));
        expect(await count(directory)).toBe(8);
        await withVersion("origin", "push", "-q", url, `main:refs/heads/new-${version}`, `side~1:refs/heads/older-${version}`);
        await work.commit(directory, { "mine.txt": "mine\n" });
        const tip = await work.commit("origin", { "file.txt": `after ${version}\n` });
        await withVersion("origin", "push", "-q", url, "main");
        await withVersion(directory, "fetch", "-q", "origin");
        expect(await work.git(directory, "rev-parse", "origin/main")).toBe(tip);
        await withVersion("origin", "push", "-q", url, `:new-${version}`, `:older-${version}`, "+main~1:main");
        await work.git("origin", "reset", "-q", "--hard", "HEAD~1");
      });

      test("a shallow clone can be deepened", async () => {
        const directory = folder();
        await withVersion(".", "clone", "-q", "--depth=2", url, directory);
        expect(await count(directory)).toBe(2);
        await withVersion(directory, "fetch", "-q", "--deepen=2");
        expect(await count(directory)).toBe(4);
        await withVersion(directory, "fetch", "-q", "--unshallow");
        expect(await count(directory)).toBe(8);
        await work.git(directory, "fsck", "--full", "--strict");
      });

      test("a clone without blobs fetches them on demand", async () => {
        const directory = folder();
        await withVersion(".", "clone", "-q", "--no-checkout", "--filter=blob:none", url, directory);
        const missing = async () =>
          (await work.git(directory, "rev-list", "--objects", "--all", "--missing=print")).split("\n").filter((line) => line.startsWith("?")).length;
        expect(await missing()).toBeGreaterThan(8);
        expect(await withVersion(directory, "show", "main:file.txt")).toBe("version 8");
        expect(await missing()).toBeGreaterThan(8);
      });

      test("an empty repository can be cloned, pushed to and have a branch deleted, with a status for each ref", async () => {
        const directory = folder();
        const target = await makeRepository(`empty-${version}`);
        expect(await withVersion(".", "clone", target, directory)).toBe("");
        await work.commit(directory, { "a.txt": "a\n" });
        await withVersion(directory, "push", "-q", "origin", "HEAD:main", "HEAD:other");
        const pushed = await attempt(directory, "-c", `protocol.version=${version}`, "push", "--porcelain", "origin", ":main", ":other", "HEAD:third");
        expect(pushed.code).toBe(1);
        expect(pushed.stderr).toContain("remote: error: branch main is the default branch and cannot be deleted");
        expect(pushed.stdout).toContain("!\t:refs/heads/main\t[remote rejected] (pre-receive hook declined)");
        expect(await withVersion(directory, "ls-remote", "--heads", "origin")).toMatch(/^\w+\trefs\/heads\/main\n\w+\trefs\/heads\/third$/);
      });

      test("an unknown ref gets an error message, not a closed connection", async () => {
        const directory = folder();
        await work.init(directory);
        const requested = await attempt(directory, "-c", `protocol.version=${version}`, "fetch", url, "1".repeat(40));
        expect(requested.code).toBe(128);
        expect(requested.stderr).toContain("not our ref");
      });
    });

    test("an atomic push moves all refs or none; a stale lease moves none; push options arrive", async () => {
      const directory = folder();
      const target = await makeRepository("pushes");
      await git(".", "clone", "-q", target, directory);
      const first = await work.commit(directory, { "a.txt": "a\n" });
      await git(directory, "push", "-q", "origin", "HEAD:main", "HEAD:one");
      await work.commit(directory, { "a.txt": "b\n" });
      const atomic = await attempt(directory, "push", "--atomic", "origin", "HEAD:one", ":main");
      expect(atomic.code).toBe(1);
      expect(atomic.stderr).toContain("[remote rejected] HEAD -> one (atomic push failure)");
      expect((await attempt(directory, "push", `--force-with-lease=one:${"2".repeat(40)}`, "origin", "HEAD:one")).code).toBe(1);
      expect(await git(directory, "ls-remote", "origin", "refs/heads/one")).toBe(`${first}\trefs/heads/one`);
      await git(directory, "push", "-q", "-o", "repo.private=true", "origin", "HEAD:one");
      expect(await alice.get<{ private: boolean }>("/repos/alice/pushes").expect(200)).toMatchObject({ private: true });
    });

    test("a large push through git survives a rekeying of the connection", async () => {
      const directory = folder();
      const target = await makeRepository("large");
      await work.init(directory);
      const noise = Buffer.alloc(6_000_000);
      for (let index = 0; index < noise.length; index += 4) noise.writeUInt32LE((index * 2_654_435_761) >>> 0, index);
      await work.commit(directory, { "noise.bin": noise });
      const rekeyed = gitOverSsh(key, port, "-o", "RekeyLimit=1M");
      await work.git(directory, ...rekeyed, "-c", "core.compression=0", "push", "-q", target, "main");
      const back = folder();
      await work.git(".", ...rekeyed, "clone", "-q", target, back);
      expect(await work.git(back, "rev-parse", "HEAD:noise.bin")).toBe(await work.git(directory, "rev-parse", "HEAD:noise.bin"));
      await work.git(back, "fsck", "--full", "--strict");
    });

    test("a push rejected before its pack is read gets the reason, however large the pack", async () => {
      const bob = await forge.createUser("bob");
      const bobs = makeKeyPair(work.path, "bob-key");
      await bob.post("/user/keys", { title: "k", key: bobs.publicKey }).expect(201);
      const directory = folder();
      await work.init(directory);
      const noise = Buffer.alloc(4_000_000, "abc");
      await work.commit(directory, { "noise.bin": noise });
      const pushed = await work.attempt(directory, ...gitOverSsh(bobs, port), "-c", "core.compression=0", "push", url, "main:mine");
      expect(pushed.code).toBe(1);
      expect(pushed.stderr).toContain("remote: error: User permission denied for writing.");
      expect(pushed.stderr).toContain("! [remote rejected] main -> mine (pre-receive hook declined)");
    });

    test("malformed input is rejected with the reason", async () => {
      const directory = folder();
      await work.init(directory);
      await work.commit(directory, { "a.txt": "a\n" });
      const tree = (await work.git(directory, "rev-parse", "HEAD^{tree}")).trim();
      await work.git(directory, "tag", "tree", tree);
      const pushed = await attempt(directory, "push", url, "tree:refs/heads/tree");
      expect(pushed.code).toBe(1);
      expect(pushed.stderr).toContain("[remote rejected] tree -> tree (cannot update ref to a non-commit object)");
    });

    test("20 concurrent clones are served, 19 of them from the cache", async () => {
      const before = forge.context.git.counters.processes;
      const places = Array.from({ length: 20 }, folder);
      await Promise.all(places.map((directory) => git(".", "clone", "-q", "--bare", url, directory)));
      for (const directory of places) expect(await count(directory, "main")).toBe(8);
      expect(forge.context.git.counters.processes - before).toBeLessThanOrEqual(2);
    });

    test("refs are listed without a process, by a few statements", async () => {
      const { result, processes, statements } = await forge.cost(() => git(".", "ls-remote", url));
      expect(result).toContain("refs/heads/side");
      expect(processes).toBe(0);
      // The key twice (offered, proved), its user, the repository, its refs, the key's last use.
      expect(statements.length).toBeLessThanOrEqual(8);
    });

    test("a client killed during a push leaves no process and no objects, and one killed during a fetch no process", async () => {
      const target = await makeRepository("cut");
      const oid = "1".repeat(40);
      const command = `${"0".repeat(40)} ${oid} refs/heads/main\0 report-status side-band-64k`;
      const start = `${(command.length + 4).toString(16).padStart(4, "0")}${command}0000`;
      const header = Buffer.from("5041434b00000002000000ff", "hex");
      const push = spawnSsh(sshWords(key, port, "git@127.0.0.1", "git-receive-pack 'alice/cut.git'"));
      push.stdin.write(Buffer.concat([Buffer.from(start), header]));
      await working("index-pack");
      push.kill("SIGKILL");
      await noGitLeft();
      expect(await git(".", "ls-remote", target)).toBe("");

      // A fetch with an old protocol version keeps a process for as long as the client negotiates.
      const tip = await work.git("origin", "rev-parse", "main");
      const want = `want ${tip} multi_ack_detailed side-band-64k\n`;
      const fetching = spawnSsh(sshWords(key, port, "git@127.0.0.1", "git-upload-pack 'alice/history.git'"));
      fetching.stdin.write(`${(want.length + 4).toString(16).padStart(4, "0")}${want}00000032have ${"2".repeat(40)}\n0000`);
      await working("upload-pack");
      fetching.kill("SIGKILL");
      await noGitLeft();
    });

    const spawnSsh = (words: readonly string[]) => {
      const child = spawn("ssh", words, { stdio: ["pipe", "ignore", "ignore"], env: { PATH: process.env.PATH } });
      child.stdin.on("error", () => {});
      return child;
    };
    const working = (command: string): Promise<void> =>
      expect.poll(() => gitProcessesOn(forge.dataDirectory).map((found) => found.command), polling).toContain(command);

    test("a client that keeps its side open after its pack still receives its report", async () => {
      await makeRepository("patient");
      const pack = await emptyTreeCommit();
      const command = `${"0".repeat(40)} ${pack.tip} refs/heads/main\0 report-status`;
      const child = spawn("ssh", sshWords(key, port, "git@127.0.0.1", "git-receive-pack 'alice/patient.git'"), { env: { PATH: process.env.PATH } });
      child.stdin.write(Buffer.concat([Buffer.from(`${(command.length + 4).toString(16).padStart(4, "0")}${command}0000`), pack.bytes]));
      let report = "";
      for await (const chunk of child.stdout.setEncoding("utf8")) {
        report += chunk;
        if (report.includes("ok refs/heads/main")) break;
      }
      expect(report).toContain("unpack ok");
      child.stdin.end();
    });

    async function emptyTreeCommit(): Promise<{ tip: string; bytes: Buffer }> {
      const directory = folder();
      await work.init(directory);
      const tip = await work.commit(directory, {});
      await work.git(directory, "repack", "-adq");
      const packs = `${work.path}/${directory}/.git/objects/pack`;
      const name = readdirSync(packs).find((file) => file.endsWith(".pack")) ?? "";
      return { tip, bytes: readFileSync(`${packs}/${name}`) };
    }

    test("several commands share a connection", async () => {
      const socket = `${work.path}/control`;
      const master = spawnSsh(sshWords(key, port, "-M", "-S", socket, "-N", "git@127.0.0.1"));
      try {
        await expect.poll(async () => (await runSsh(["-S", socket, "-O", "check", "git@127.0.0.1"])).code, polling).toBe(0);
        const places = Array.from({ length: 5 }, folder);
        await Promise.all(places.map((directory) => work.git(".", ...gitOverSsh(key, port, "-S", socket), "clone", "-q", url, directory)));
        for (const directory of places) expect(await count(directory)).toBe(8);
      } finally {
        master.kill();
      }
    });
  });
});
