import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { polling } from "../../../test/kit/polling.ts";
import { newBlob } from "../objects/format.ts";
import { writeObjects } from "../objects/write.ts";
import { materialize } from "../stores.ts";
import { gitProtocol } from "./environment.ts";
import { checkGitVersion, gitWarning } from "./git-version.ts";
import { runGit, streamGit } from "./runner.ts";

/** Polls, because the end of a grandchild process sends no notification. */
const eventually = (condition: () => boolean | Promise<boolean>): Promise<void> => expect.poll(condition, polling).toBe(true);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie has ended: orphans are not reaped here.
    return !/^\d+ \(.*\) Z/.test(execFileSync("cat", [`/proc/${pid}/stat`], { stdio: ["ignore", "pipe", "ignore"] }).toString());
  } catch {
    return false;
  }
}

describe("git", () => {
  let kit: TestStores;
  beforeAll(async () => {
    kit = await openTestStores();
  });
  afterAll(() => kit.close());

  test("runs on a store, even on one without a directory", async () => {
    const store = kit.fresh();
    const empty = await runGit(store, { name: "count-objects", flags: { "-v": true } });
    expect(empty.stdout.toString()).toMatch(/^count: 0\n/);
    const blob = newBlob("sha1", Buffer.from("hello\n"));
    await writeObjects(store, [blob]);
    const { stdout } = await runGit(store, { name: "cat-file", words: ["blob"], revisions: [blob.oid] });
    expect(stdout.toString()).toBe("hello\n");
  });

  test("returns accepted exit codes, and throws an error with git's stderr for others", async () => {
    const store = kit.fresh();
    const command = { name: "merge-base", revisions: ["1".repeat(40), "2".repeat(40)] } as const;
    await expect(runGit(store, command)).rejects.toMatchObject({
      code: "unavailable",
      options: { meta: { reason: "exit", command: "merge-base", code: 128, stderr: expect.stringContaining("1".repeat(40)) } },
    });
    expect((await runGit(store, command, { accept: [128] })).code).toBe(128);
  });

  test("does not start a command that works on reachable objects without a snapshot of refs", async () => {
    const store = kit.fresh();
    await materialize(store);
    const before = kit.stores.counters.processes;
    for (const command of [{ name: "prune" }, { name: "repack" }, { name: "fsck" }, { name: "multi-pack-index", words: ["write"] }] as const) {
      await expect(runGit(store, command)).rejects.toThrow(new TypeError(`git ${command.name} reads refs, so it needs a snapshot of them`));
    }
    expect(kit.stores.counters.processes).toBe(before);
  });

  test("sees neither the server's environment nor the system's settings", async () => {
    const home = kit.stores.shared.home;
    expect(Object.keys(home.environment).sort()).toEqual([
      "GIT_ATTR_NOSYSTEM",
      "GIT_CONFIG_GLOBAL",
      "GIT_CONFIG_NOSYSTEM",
      "GIT_LITERAL_PATHSPECS",
      "GIT_NO_REPLACE_OBJECTS",
      "GIT_OPTIONAL_LOCKS",
      "GIT_PAGER",
      "GIT_TERMINAL_PROMPT",
      "HOME",
      "LC_ALL",
      "PATH",
      "TZ",
    ]);
    const store = kit.fresh();
    await materialize(store);
    const listed = execFileSync("git", ["config", "--list", "--show-scope"], { env: { ...home.environment, GIT_DIR: store.path }, encoding: "utf8" });
    expect(listed).not.toMatch(/^system/m);
    for (const setting of [
      "core.fsync=all",
      "core.bigfilethreshold=16m",
      "gc.auto=0",
      "core.hookspath=/dev/null",
      "protocol.allow=never",
      "safe.directory=*",
    ]) {
      expect(listed).toContain(`global\t${setting}\n`);
    }
  });

  test("is ended when it exceeds its output or time limit", async () => {
    const store = kit.fresh();
    const blob = newBlob("sha1", Buffer.alloc(1_000_000, "x"));
    await writeObjects(store, [blob]);
    const read = { name: "cat-file", words: ["blob"], revisions: [blob.oid] } as const;
    await expect(runGit(store, read, { maxOutputBytes: 1000 })).rejects.toMatchObject({ code: "unavailable", options: { meta: { reason: "output_limit" } } });
    const { stdout } = await streamGit(store, read, { maxOutputBytes: 1000 });
    await expect(stdout.toArray()).rejects.toMatchObject({ options: { meta: { reason: "output_limit" } } });
    // Waits for input that never comes.
    const silent = { name: "cat-file", flags: { "--batch-command": true } } as const;
    const never = new ReadableStream<Uint8Array>();
    await expect(runGit(store, silent, { stdin: never, timeoutMs: 30 })).rejects.toMatchObject({ options: { meta: { reason: "time_limit" } } });
    const idle = await streamGit(store, silent, { stdin: new ReadableStream<Uint8Array>(), idleMs: 30 });
    await expect(idle.stdout.toArray()).rejects.toMatchObject({ options: { meta: { reason: "time_limit" } } });
    await eventually(() => kit.stores.counters.running === 0);
  });

  test("ends when its reader stops, even before the first byte was read", async () => {
    const store = kit.fresh();
    const blob = newBlob("sha1", Buffer.alloc(4_000_000, "x"));
    await writeObjects(store, [blob]);
    const read = { name: "cat-file", words: ["blob"], revisions: [blob.oid] } as const;
    const unread = await streamGit(store, read);
    unread.stdout.destroy();
    await expect(unread.done).rejects.toMatchObject({ options: { meta: { reason: "aborted" } } });
    const begun = await streamGit(store, read);
    for await (const chunk of begun.stdout) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await expect(begun.done).rejects.toMatchObject({ options: { meta: { reason: "aborted" } } });
    await eventually(() => kit.stores.counters.running === 0);
  });

  test("is stopped if its input fails, with the input's error", async () => {
    const store = kit.fresh();
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from("info ");
      throw new Error("the client went away");
    };
    await expect(runGit(store, { name: "cat-file", flags: { "--batch-command": true } }, { stdin: broken() })).rejects.toMatchObject({
      code: "unavailable",
      cause: { message: "the client went away" },
    });
  });

  test("receives only a protocol version from a request", async () => {
    expect(["version=2", "version=0", "version=3", "version=2:x", "version=2\n", "", undefined].map(gitProtocol)).toEqual([
      "version=2",
      "version=0",
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    await expect(runGit(kit.fresh(), { name: "count-objects" }, { protocol: "version=2:x" })).rejects.toThrow(TypeError);
  });

  test("is not started for an aborted caller, or after close", async () => {
    const other = await openTestStores();
    const store = other.fresh();
    await expect(runGit(store, { name: "count-objects" }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ options: { meta: { reason: "aborted" } } });
    expect(other.stores.counters.processes).toBe(0);
    const open = await streamGit(store, { name: "cat-file", flags: { "--batch-command": true } }, { stdin: new ReadableStream<Uint8Array>() });
    await other.close();
    await expect(open.done).rejects.toMatchObject({ code: "unavailable" });
    await expect(runGit(store, { name: "count-objects" })).rejects.toMatchObject({ code: "unavailable", message: "the server is stopping" });
    expect(other.stores.counters).toMatchObject({ processes: 1, running: 0 });
  });
});

/** Programs that misbehave as git can. */
describe("a process group", () => {
  let kit: TestStores;
  let directory: string;
  let program: string;
  let pids: string;
  const withProgram = async (script: string): Promise<void> => {
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o755);
  };
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "hearth-program-"));
    program = join(directory, "git");
    pids = join(directory, "pids");
    kit = await openTestStores({ program });
  });
  afterAll(async () => {
    await kit.close();
    await rm(directory, { recursive: true, force: true });
  });

  const startedPids = async (): Promise<number[]> => {
    await eventually(async () => existsSync(pids) && (await readFile(pids, "utf8")).split("\n").length > 2);
    return (await readFile(pids, "utf8")).trim().split("\n").map(Number);
  };

  test("ends as a whole when the caller aborts, even if a child ignores the signal", async () => {
    await withProgram(
      `trap '' TERM; (trap '' TERM; sh -c 'echo $PPID >> ${pids}'; while :; do sleep 0.1; done) & echo $$ >> ${pids}; while :; do sleep 0.1; done`,
    );
    const abort = new AbortController();
    const running = runGit(kit.fresh(), { name: "count-objects" }, { signal: abort.signal });
    const started = await startedPids();
    expect(started.map(isAlive)).toEqual([true, true]);
    abort.abort();
    await expect(running).rejects.toMatchObject({ options: { meta: { reason: "aborted" } } });
    await eventually(() => !started.some(isAlive));
    expect(kit.stores.counters.running).toBe(0);
  });

  test("that is killed by a signal is reported as unavailable", async () => {
    await withProgram("kill -SEGV $$");
    await expect(runGit(kit.fresh(), { name: "count-objects" })).rejects.toMatchObject({
      code: "unavailable",
      options: { meta: { reason: "signal", signal: "SIGSEGV" } },
    });
    expect(await runGit(kit.fresh(), { name: "count-objects" }, { accept: "any" })).toMatchObject({ code: null, signal: "SIGSEGV" });
  });

  test("has its stderr truncated", async () => {
    await withProgram("head -c 1000000 /dev/zero | tr '\\0' e >&2; exit 3");
    const { code, stderr } = await runGit(kit.fresh(), { name: "count-objects" }, { accept: [3] });
    expect([code, stderr.length]).toEqual([3, 16_384]);
  });

  test("of a missing program is reported as an error with a retry time", async () => {
    await rm(program);
    await expect(runGit(kit.fresh(), { name: "count-objects" })).rejects.toMatchObject({
      code: "unavailable",
      options: { retryAfter: 5, meta: { reason: "spawn" } },
    });
  });
});

describe("the version of git", () => {
  test("the version of git is returned, or rejected with a message", async () => {
    const kit = await openTestStores();
    try {
      expect(await checkGitVersion(process.env.PATH ?? "")).toMatch(/^2\.\d+/);
      const program = join(kit.directory, "old-git");
      await writeFile(program, "#!/bin/sh\necho git version 2.38.1\n");
      await chmod(program, 0o755);
      await expect(checkGitVersion("", program)).rejects.toThrow(/^git 2\.39 or later is required, but `.*` is 2\.38\.1$/);
      await writeFile(program, "#!/bin/sh\necho hello\n");
      await expect(checkGitVersion("", program)).rejects.toThrow(/prints "hello"$/);
      await expect(checkGitVersion("/nonexistent")).rejects.toThrow(/cannot be run$/);
    } finally {
      await kit.close();
    }
  });

  test.each(["2.39.5", "2.42.4", "2.43.6", "2.48.1", "2.49.0.windows.1", "2.50.0"])("git %s has known vulnerabilities", (version) => {
    expect(gitWarning(version)).toContain(`git ${version} has known vulnerabilities`);
  });

  test.each(["2.43.7", "2.45.4", "2.49.1.2", "2.50.1", "2.51.0", "3.0.0"])("%s has no known vulnerabilities", (version) => {
    expect(gitWarning(version)).toBeUndefined();
  });
});
