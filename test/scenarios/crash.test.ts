import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { storePath } from "../../src/git/stores.ts";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { canTrace, killAt } from "../kit/kill-at.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";

/**
 * Kills the real program at each kind of step of a write, and at random moments under load. After a restart, acknowledged writes are
 * present, others are complete or absent, and everything can be written again.
 */

const token = "c4".repeat(20);
let folder: string;
let work: GitUser;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-crash-"));
  work = await createGitUser();
  settings = { HEARTH_DATA: join(folder, "data"), HEARTH_ADMIN_USERNAME: "chief", HEARTH_ADMIN_PASSWORD: "a long pass phrase", HEARTH_ADMIN_TOKEN: token };
  await using program = await startProgram(settings);
  await clientOf(program).post("/user/repos", { name: "r" }).expect(201);
  await work.init("source");
  await work.commit("source", { "base.txt": "base\n" });
  await work.git("source", "push", "-q", remoteOf(program), "main");
});
afterAll(async () => {
  await work[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const clientOf = (program: RunningProgram): ApiClient => createApiClient(program.url, `token ${token}`);
const remoteOf = ({ url }: RunningProgram): string => `${url.replace("http://", `http://chief:${token}@`)}/chief/r.git`;

/** An attempted write, and whether the program acknowledged it. */
interface Tried {
  readonly id: string;
  readonly isAcknowledged: boolean;
  readonly oid: string | undefined;
}

const textOf = (id: string): string => `what ${id} holds\n`;
const base64 = (value: string): string => Buffer.from(value).toString("base64");

/** Pushes a commit of its own to a branch of its own. */
async function tryPush(program: RunningProgram, id: string): Promise<Tried> {
  const tree = await work.git("source", "rev-parse", "main^{tree}");
  const oid = await work.git("source", "commit-tree", "-p", "main", "-m", `commit ${id}`, tree);
  const { code } = await work.attempt("source", "push", "-q", "--atomic", remoteOf(program), `${oid}:refs/heads/push/${id}`, `${oid}:refs/tags/push/${id}`);
  return { id, oid, isAcknowledged: code === 0 };
}

/** Creates a file of its own through the API, on a branch that only these writes move. */
async function tryFile(program: RunningProgram, id: string): Promise<Tried> {
  const status = await clientOf(program)
    .post(`/repos/chief/r/contents/files/${id}.txt`, { content: base64(textOf(id)), branch: "main", message: `file ${id}` })
    .then(
      (answer) => answer.status,
      () => 0,
    );
  return { id, oid: undefined, isAcknowledged: status === 201 };
}

/** Checks the invariants of all attempted writes on a restarted program. */
async function checkWrites(program: RunningProgram, pushes: readonly Tried[], files: readonly Tried[]): Promise<void> {
  const listed = (await work.git("source", "ls-remote", remoteOf(program))).split("\n").map((line) => line.split("\t"));
  const refs = new Map(listed.map(([oid = "", name = ""]) => [name, oid]));
  for (const { id, oid, isAcknowledged } of pushes) {
    const [branch, tag] = [refs.get(`refs/heads/push/${id}`), refs.get(`refs/tags/push/${id}`)];
    expect(branch, `both refs of ${id} or none`).toBe(tag);
    expect(isAcknowledged ? [oid] : [oid, undefined], `push ${id}`).toContain(branch);
  }
  const api = clientOf(program);
  for (const { id, isAcknowledged } of files) {
    const answer = await api.get(`/repos/chief/r/contents/files/${id}.txt`);
    if (isAcknowledged) expect(answer.status, `file ${id}`).toBe(200);
    if (answer.status === 200) expect(answer.json.content).toBe(base64(textOf(id)));
    else expect(answer.status).toBe(404);
  }
}

/** The store on disk, after the refs of the database have been written to it. */
async function checkStore(program: RunningProgram): Promise<void> {
  const path = storePath(join(settings.HEARTH_DATA ?? "", "repositories"), 1);
  const git = (...args: readonly string[]) => work.git(".", `--git-dir=${path}`, "-c", "safe.directory=*", ...args);
  await vi.waitFor(
    async () => expect(await git("for-each-ref", "--format=%(objectname)\t%(refname)")).toBe(await work.git(".", "ls-remote", "--refs", remoteOf(program))),
    {
      timeout: 30_000,
      interval: 50,
    },
  );
  expect(await git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
  await vi.waitFor(
    async () => {
      const names = await Promise.all(["", "objects", "objects/pack", "refs"].map((directory) => readdir(join(path, directory))));
      expect(names.flat().filter((name) => /^tmp_|\.lock$/.test(name))).toEqual([]);
    },
    { timeout: 30_000, interval: 50 },
  );
  const doctor = await runProgram(["doctor"], settings);
  expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0);
}

/** System calls of the server and its git processes at which they are killed. */
const points: readonly (readonly [calls: string, nth: number])[] = [
  ["fsync", 1],
  ["fsync", 2],
  ["fsync", 4],
  ["fdatasync", 1],
  ["fdatasync", 2],
  ["rename,renameat,renameat2", 1],
  ["rename,renameat,renameat2", 2],
  ["mkdir,mkdirat", 1],
  ["link,linkat", 1],
  ["unlink,unlinkat,rmdir", 1],
  ["pwrite64", 1],
  ["pwrite64", 5],
  ["openat", 3],
  ["openat", 9],
  ["write", 4],
];

describe("kill -9", () => {
  test.skipIf(!canTrace)(
    `at a step of a push or of a file write${canTrace ? "" : " (skipped: this machine has no strace)"}`,
    async () => {
      const pushes: Tried[] = [];
      const files: Tried[] = [];
      let program = await startProgram(settings);
      let died = 0;
      for (const [index, [calls, nth]] of points.entries()) {
        const tracer = await killAt(program, calls, nth);
        const [pushed, written] = await Promise.all([tryPush(program, `step-${index}`), tryFile(program, `step-${index}`)]);
        pushes.push(pushed);
        files.push(written);
        if (!pushed.isAcknowledged || !written.isAcknowledged) died += 1;
        await program.kill();
        await tracer.stop();
        program = await startProgram(settings);
        await checkWrites(program, [pushed], [written]);
      }
      await checkWrites(program, pushes, files);
      // Some steps must have been reached, otherwise this test checks nothing.
      expect(died).toBeGreaterThan(points.length / 2);
      for (const tried of [await tryPush(program, "after-steps"), await tryFile(program, "after-steps")]) expect(tried.isAcknowledged).toBe(true);
      await checkStore(program);
      await program.kill();
    },
    120_000,
  );

  test("at random moments under load", { timeout: 120_000 }, async () => {
    const pushes: Tried[] = [];
    const files: Tried[] = [];
    const isAnyAcknowledged = (all: readonly Tried[]): boolean => all.some(({ isAcknowledged }) => isAcknowledged);
    let program = await startProgram(settings);
    const rounds = [1, 4, 9, 15];
    for (const [round, answers] of rounds.entries()) {
      let left = answers;
      let isOver = false;
      const killed = Promise.withResolvers<void>();
      const worker = async (name: string, attempt: typeof tryPush, all: Tried[]): Promise<void> => {
        for (let count = 0; !isOver; count += 1) {
          const tried = await attempt(program, `load-${round}-${name}-${count}`);
          all.push(tried);
          // A busy machine answers many file writes before a push; the last round needs one of each.
          if (left > 1 || round < rounds.length - 1 || (isAnyAcknowledged(pushes) && isAnyAcknowledged(files))) left -= 1;
          // A random moment while writes are in progress.
          if (left === 0 && !isOver) program.kill().then(killed.resolve, killed.reject);
          isOver ||= left <= 0;
        }
      };
      await Promise.all([worker("a", tryPush, pushes), worker("b", tryPush, pushes), worker("c", tryFile, files), worker("d", tryFile, files)]);
      await killed.promise;
      program = await startProgram(settings);
      await checkWrites(program, pushes, files);
    }
    expect([isAnyAcknowledged(pushes), isAnyAcknowledged(files)]).toEqual([true, true]);
    await checkStore(program);
    await work.git(".", "clone", "-q", remoteOf(program), "afterwards");
    await work.git("afterwards", "fsck", "--full", "--strict");
    await program.kill();
  });
});
