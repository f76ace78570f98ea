import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hiddenPrefix } from "../../src/features/repositories/refs/model.ts";
import { storePath } from "../../src/git/stores.ts";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { polling } from "../kit/polling.ts";
import { startProgram } from "../kit/program.ts";

/**
 * Kills the program while branches are created, moved and deleted, and checks that acknowledged changes are present after a restart, on
 * disk too.
 */

const run = promisify(execFile);
const token = "5e".repeat(20);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-killed-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = () =>
  startProgram({
    HEARTH_DATA: folder,
    HEARTH_ADMIN_USERNAME: "root1",
    HEARTH_ADMIN_EMAIL: "root1@example.com",
    HEARTH_ADMIN_PASSWORD: "a long enough pass phrase",
    HEARTH_ADMIN_TOKEN: token,
  });
const clientOf = (url: string): ApiClient => createApiClient(url, `token ${token}`);

/** The acknowledged changes of one worker. The outcome of the unanswered request is unknown. */
interface AcknowledgedBranches {
  readonly present: Set<string>;
  readonly absent: Set<string>;
}

/** Creates branches and deletes every third one until the connection breaks. */
async function work(api: ApiClient, prefix: string, onAnswer: () => void): Promise<AcknowledgedBranches> {
  const acknowledged: AcknowledgedBranches = { present: new Set(), absent: new Set() };
  for (let count = 0; ; count += 1) {
    const name = `${prefix}/${count}`;
    try {
      await api.post("/repos/root1/r/branches", { new_branch_name: name }).expect(201);
      acknowledged.present.add(name);
      onAnswer();
      if (count % 3 !== 2) continue;
      acknowledged.present.delete(name);
      await api.delete(`/repos/root1/r/branches/${name}`).expect(204);
      acknowledged.absent.add(name);
      onAnswer();
    } catch (error) {
      // A refused request fails the test; only the end of the server ends the loop.
      if (error instanceof Error && error.message.includes("expected")) throw error;
      return acknowledged;
    }
  }
}

const refsOf = async (api: ApiClient): Promise<string[]> =>
  (await api.get<{ ref: string; object: { sha: string } }[]>("/repos/root1/r/git/refs").expect(200)).map(({ ref, object }) => `${object.sha} ${ref}`).sort();

async function refsOnDisk(): Promise<string[]> {
  const { stdout } = await run("git", ["for-each-ref", "--format=%(objectname) %(refname)"], {
    env: { PATH: process.env.PATH, GIT_DIR: storePath(join(folder, "repositories"), 1) },
  });
  // Internal refs, such as the tips of deleted branches, are not visible in the API.
  const isVisible = (line: string): boolean => !line.includes(` ${hiddenPrefix}`);
  return stdout.trim().split("\n").filter(isVisible).sort();
}

/** Polls until the disk agrees with the API, within the time limit for recovery. */
async function untilProjected(api: ApiClient): Promise<void> {
  await expect.poll(async () => (await refsOnDisk()).join("\n"), polling).toBe((await refsOf(api)).join("\n"));
}

test("acknowledged branches survive, deleted ones stay deleted, and the disk catches up", async () => {
  {
    await using program = await start();
    await clientOf(program.url).post("/user/repos", { name: "r", auto_init: true }).expect(201);
  }
  for (const [round, answers] of [5, 23, 60].entries()) {
    let acknowledged: readonly AcknowledgedBranches[];
    {
      await using program = await start();
      const api = clientOf(program.url);
      let left = answers;
      const killed = Promise.withResolvers<void>();
      const onAnswer = (): void => {
        left -= 1;
        if (left === 0) program.kill().then(killed.resolve, killed.reject);
      };
      acknowledged = await Promise.all(["a", "b", "c"].map((worker) => work(api, `${worker}${round}`, onAnswer)));
      await killed.promise;
    }
    await using program = await start();
    const api = clientOf(program.url);
    const refs = new Set((await refsOf(api)).map((line) => line.split(" refs/heads/")[1]));
    for (const { present, absent } of acknowledged) {
      for (const name of present) expect(refs, name).toContain(name);
      for (const name of absent) expect(refs, name).not.toContain(name);
    }
    expect((await api.get("/repos/root1/r").expect(200)).branch_count).toBe(refs.size);
    await untilProjected(api);
    await run("git", ["fsck", "--full", "--strict"], { env: { PATH: process.env.PATH, GIT_DIR: storePath(join(folder, "repositories"), 1) } });
    expect(await program.stop()).toBe(0);
  }
});
