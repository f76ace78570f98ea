import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { canTrace, killAt } from "../kit/kill-at.ts";
import { runProgram, startProgram } from "../kit/program.ts";

/** The program is killed while repositories are forked, made of templates and given away: each is whole or not there, and can be asked for again. */

const token = "c4".repeat(20);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
/** Where a kill comes: calls by which objects and rows become durable, and which of them. */
const moments = [
  ["linkat,link", 2],
  ["fsync", 3],
  ["fdatasync", 2],
  ["pwrite64", 9],
] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-killed-repositories-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = () =>
  startProgram({ HEARTH_DATA: folder, HEARTH_ADMIN_USERNAME: "chief", HEARTH_ADMIN_PASSWORD: "a long enough pass phrase", HEARTH_ADMIN_TOKEN: token });

type Work = "fork" | "generation" | "transfer";

interface Wish {
  readonly path: string;
  readonly body: object;
  /** What it leads to. */
  readonly result: string;
}

const wishes: Readonly<Record<Work, (n: number) => Wish>> = {
  fork: (n) => ({ path: `/repos/chief/parent${n}/forks`, body: { organization: "guild" }, result: `/repos/guild/parent${n}` }),
  generation: (n) => ({
    path: `/repos/chief/template${n}/generate`,
    body: { owner: "guild", name: `made${n}`, git_content: true, labels: true },
    result: `/repos/guild/made${n}`,
  }),
  transfer: (n) => ({ path: `/repos/chief/given${n}/transfer`, body: { new_owner: "guild" }, result: `/repos/guild/given${n}` }),
};
const kinds = ["fork", "generation", "transfer"] as const;
const made: Readonly<Record<Work, number>> = { fork: 202, generation: 201, transfer: 202 };

async function prepare(api: ApiClient, n: number): Promise<void> {
  for (const name of [`parent${n}`, `template${n}`, `given${n}`]) {
    await api.post("/user/repos", { name, auto_init: true, template: name.startsWith("template") }).expect(201);
    await api.post(`/repos/chief/${name}/contents/src/a.txt`, { content: base64("a\n"), message: "a", branch: "main" }).expect(201);
    await api.post(`/repos/chief/${name}/labels`, { name: "kind", color: "#aabbcc" }).expect(201);
  }
}

/** @returns the status, 0 where there was no answer */
function ask(api: ApiClient, kind: Work, n: number): Promise<number> {
  const { path, body } = wishes[kind](n);
  return api.post(path, body).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Whether there is what was wished for; where there is, it is whole. */
async function isThere(api: ApiClient, kind: Work, n: number): Promise<boolean> {
  const path = wishes[kind](n).result;
  const { status, json } = await api.get(path);
  if (status === 404) return false;
  expect([path, json]).toMatchObject([path, { empty: false, branch_count: 1, default_branch: "main" }]);
  expect(await api.get(`${path}/contents/src/a.txt?ref=main`).expect(200)).toMatchObject({ content: base64("a\n") });
  if (kind !== "fork") expect(await api.get(`${path}/labels`).expect(200)).toMatchObject([{ name: "kind" }]);
  return true;
}

test("a fork, a generation and a transfer are made or not made, whenever the program is killed", { timeout: 240_000 }, async () => {
  let program = await start();
  let unanswered = 0;
  try {
    await createApiClient(program.url, `token ${token}`).post("/orgs", { username: "guild" }).expect(201);
    for (const [n, [calls, which]] of moments.entries()) {
      const before = createApiClient(program.url, `token ${token}`);
      await prepare(before, n);
      const tracer = canTrace ? await killAt(program, calls, which) : undefined;
      const told = kinds.map((kind) => ask(before, kind, n));
      // Where nothing is traced, or nothing met the call, it dies with the first answer.
      await Promise.race(told);
      await program.kill();
      const answers = await Promise.all(told);
      await tracer?.stop();
      unanswered += answers.filter((status) => status === 0).length;

      program = await start();
      const api = createApiClient(program.url, `token ${token}`);
      for (const [at, kind] of kinds.entries()) {
        const [answered, isMade] = [answers[at] ?? 0, await isThere(api, kind, n)];
        if (answered !== 0) expect([kind, n, answered, isMade]).toEqual([kind, n, made[kind], true]);
        if (kind === "transfer") expect((await api.get(`/repos/chief/given${n}`)).status).toBe(isMade ? 301 : 200);
        if (!isMade) expect([kind, n, await ask(api, kind, n)]).toEqual([kind, n, made[kind]]);
        expect([kind, n, await isThere(api, kind, n)]).toEqual([kind, n, true]);
      }
      expect((await api.get("/orgs/guild/repos?limit=50").expect(200)).length).toBe(kinds.length * (n + 1));
    }
  } finally {
    await program.kill();
  }
  // Some were under way: where none was, this test looks at nothing.
  expect(unanswered).toBeGreaterThan(0);
  const doctor = await runProgram(["doctor"], { HEARTH_DATA: folder });
  expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0);
});
