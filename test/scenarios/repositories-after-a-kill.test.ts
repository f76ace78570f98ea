import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { type ClientRepository, createClient } from "../kit/git.ts";
import { canTrace, killAt } from "../kit/kill-at.ts";
import { runProgram, startProgram } from "../kit/program.ts";

/**
 * Kills the program while repositories are forked, created from templates, adopted and transferred, and files are uploaded. Each operation
 * is complete or absent, and can be repeated.
 */

const token = "c4".repeat(20);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
/** Where to kill: system calls that make objects and rows durable, and their count. */
const moments = [
  ["linkat,link", 2],
  ["fsync", 3],
  ["fdatasync", 2],
  ["pwrite64", 9],
] as const;

let folder: string;
let origin: ClientRepository;
beforeAll(async () => {
  origin = createClient();
  origin.commit({ "src/a.txt": "a\n" });
  folder = await mkdtemp(join(tmpdir(), "hearth-killed-repositories-"));
});
afterAll(async () => {
  origin.remove();
  await rm(folder, { recursive: true, force: true });
});

const start = () =>
  startProgram({ HEARTH_DATA: folder, HEARTH_ADMIN_USERNAME: "chief", HEARTH_ADMIN_PASSWORD: "a long enough pass phrase", HEARTH_ADMIN_TOKEN: token });

const kinds = ["fork", "generation", "transfer", "adoption", "attachment", "asset"] as const;
type Work = (typeof kinds)[number];

interface Operation {
  readonly path: string;
  /** JSON, or the content of a file. */
  readonly body: object | string;
  /** URL of the result: a repository, or a list of files. */
  readonly result: string;
  /** Expected status. */
  readonly status: number;
}

const operations: Readonly<Record<Work, (n: number) => Operation>> = {
  fork: (n) => ({ path: `/repos/chief/parent${n}/forks`, body: { organization: "guild" }, result: `/repos/guild/parent${n}`, status: 202 }),
  generation: (n) => ({
    path: `/repos/chief/template${n}/generate`,
    body: { owner: "guild", name: `made${n}`, git_content: true, labels: true },
    result: `/repos/guild/made${n}`,
    status: 201,
  }),
  transfer: (n) => ({ path: `/repos/chief/given${n}/transfer`, body: { new_owner: "guild" }, result: `/repos/guild/given${n}`, status: 202 }),
  adoption: (n) => ({ path: `/admin/unadopted/guild/brought${n}`, body: {}, result: `/repos/guild/brought${n}`, status: 204 }),
  attachment: (n) => ({
    path: `/repos/chief/parent${n}/issues/1/assets?name=log.txt`,
    body: content,
    result: `/repos/chief/parent${n}/issues/1/assets`,
    status: 201,
  }),
  asset: (n) => ({
    path: `/repos/chief/parent${n}/releases/${releaseIds[n] ?? 0}/assets?name=log.txt`,
    body: content,
    result: `/repos/chief/parent${n}/releases/${releaseIds[n] ?? 0}/assets`,
    status: 201,
  }),
};
const content = "what was uploaded\n".repeat(20_000);
const releaseIds: number[] = [];

async function prepare(api: ApiClient, n: number): Promise<void> {
  for (const name of [`parent${n}`, `template${n}`, `given${n}`]) {
    await api.post("/user/repos", { name, auto_init: true, template: name.startsWith("template") }).expect(201);
    await api.post(`/repos/chief/${name}/contents/src/a.txt`, { content: base64("a\n"), message: "a", branch: "main" }).expect(201);
    await api.post(`/repos/chief/${name}/labels`, { name: "kind", color: "#aabbcc" }).expect(201);
  }
  await api.post(`/repos/chief/parent${n}/issues`, { title: "holds files" }).expect(201);
  releaseIds[n] = (await api.post(`/repos/chief/parent${n}/releases`, { tag_name: "v1" }).expect(201)).id;
  const adopted = join(folder, "adopt", "guild", `brought${n}.git`);
  execFileSync("git", ["clone", "-q", "--mirror", "--no-hardlinks", origin.path, adopted]);
}

/** @returns the status, 0 without a response */
async function ask(url: string, kind: Work, n: number): Promise<number> {
  const { path, body } = operations[kind](n);
  const isFile = typeof body === "string";
  const headers = { authorization: `token ${token}`, "content-type": isFile ? "application/octet-stream" : "application/json" };
  return fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: isFile ? body : JSON.stringify(body) }).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Whether the result exists; an existing one must be complete. */
async function isThere(api: ApiClient, kind: Work, n: number): Promise<boolean> {
  const path = operations[kind](n).result;
  if (kind === "attachment" || kind === "asset") return hasFile(await api.get(path).expect(200));
  const { status, json } = await api.get(path);
  if (status === 404) return false;
  expect([path, json]).toMatchObject([path, { empty: false, branch_count: 1, default_branch: "main" }]);
  expect(await api.get(`${path}/contents/src/a.txt?ref=main`).expect(200)).toMatchObject({ content: base64("a\n") });
  if (kind === "generation" || kind === "transfer") expect(await api.get(`${path}/labels`).expect(200)).toMatchObject([{ name: "kind" }]);
  return true;
}

async function hasFile(files: readonly { readonly name: string; readonly size: number; readonly browser_download_url: string }[]): Promise<boolean> {
  const [file, ...others] = files;
  if (file === undefined) return false;
  expect([file, others]).toMatchObject([{ name: "log.txt", size: content.length }, []]);
  expect(await (await fetch(file.browser_download_url)).text()).toBe(content);
  return true;
}

test("creating, moving and attaching operations are complete or absent whenever the program is killed", { timeout: 240_000 }, async () => {
  let program = await start();
  let unanswered = 0;
  try {
    await createApiClient(program.url, `token ${token}`).post("/orgs", { username: "guild" }).expect(201);
    for (const [n, [calls, which]] of moments.entries()) {
      const before = createApiClient(program.url, `token ${token}`);
      await prepare(before, n);
      const tracer = canTrace ? await killAt(program, calls, which) : undefined;
      const requests = kinds.map((kind) => ask(program.url, kind, n));
      // Without tracing, or if the call is never reached, the program is killed at the first response.
      await Promise.race(requests);
      await program.kill();
      const answers = await Promise.all(requests);
      await tracer?.stop();
      unanswered += answers.filter((status) => status === 0).length;

      program = await start();
      const api = createApiClient(program.url, `token ${token}`);
      for (const [at, kind] of kinds.entries()) {
        const [answered, isMade] = [answers[at] ?? 0, await isThere(api, kind, n)];
        const { status } = operations[kind](n);
        if (answered !== 0) expect([kind, n, answered, isMade]).toEqual([kind, n, status, true]);
        if (kind === "transfer") expect((await api.get(`/repos/chief/given${n}`)).status).toBe(isMade ? 301 : 200);
        if (!isMade) expect([kind, n, await ask(program.url, kind, n)]).toEqual([kind, n, status]);
        expect([kind, n, await isThere(api, kind, n)]).toEqual([kind, n, true]);
      }
      expect((await api.get("/orgs/guild/repos?limit=50").expect(200)).length).toBe(4 * (n + 1));
    }
  } finally {
    await program.kill();
  }
  // Some operations must have been in progress, otherwise this test checks nothing.
  expect(unanswered).toBeGreaterThan(0);
  const doctor = await runProgram(["doctor"], { HEARTH_DATA: folder });
  expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0);
});
