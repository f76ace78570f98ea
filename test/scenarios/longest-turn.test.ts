import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openGitClient } from "../../bench/git-client.ts";
import { type HttpClient, openClient } from "../../bench/http-client.ts";
import { type MonitorReader, openMonitorReader } from "../../bench/monitored-server.ts";
import { openWorstRepository, worst } from "../../bench/worst-repository.ts";
import type { Route } from "../../src/http/route.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge } from "../kit/forge.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";
import { pushBody, zeroOid } from "../kit/raw-push.ts";

/**
 * The longest CPU time of the main thread between two turns of the event loop, for every GET route of a large repository. The target of 50 ms is measured
 * by `bench/blocking.ts` on a quiet machine. This limit is far above the noise of a loaded one, and far below the cost of a route without slices.
 */
const limitMs = 250;

const token = "d7".repeat(20);
const owner = "chief";
const repo = "worst";
const refs = 20_000;

let folder: string;
let reader: MonitorReader;
let program: RunningProgram;
let http: HttpClient;
let changes: string;
let commits: readonly string[];
let routes: readonly Route[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-turn-"));
  const git = openGitClient(folder);
  const made = await openWorstRepository(git);
  commits = made.commits;
  changes = await git.run(["-C", made.path, "rev-parse", worst.changes]);
  await using forge = await startForge({ dialect: sqlite });
  ({ routes } = forge.forge);
  reader = openMonitorReader();
  program = await startProgram({
    ...reader.settings,
    HEARTH_DATA: join(folder, "data"),
    HEARTH_ADMIN_USERNAME: owner,
    HEARTH_ADMIN_PASSWORD: "a long pass phrase",
    HEARTH_ADMIN_TOKEN: token,
  });
  http = openClient(program.url, token);
  await http.json("POST", "/api/v1/user/repos", { name: repo, default_branch: "main" });
  await git.run(["-C", made.path, "push", "-q", `${program.url.replace("://", `://${owner}:${token}@`)}/${owner}/${repo}.git`, "refs/heads/*:refs/heads/*"]);
  await http.json("POST", `/api/v1/repos/${owner}/${repo}/pulls`, { title: "Changes", head: worst.changes, base: "main" });
}, 600_000);

afterAll(async () => {
  http?.close();
  await program?.[Symbol.asyncDispose]();
  reader?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns the status, and the longest block meanwhile */
async function measured(method: string, path: string, body?: Buffer, contentType?: string): Promise<{ readonly status: number; readonly cpuMs: number }> {
  await reader.report(program.pid);
  const { status } = await http.send(method, path, body, contentType);
  return { status, cpuMs: (await reader.report(program.pid)).cpuMs };
}

test("a push of 20,000 refs does not block other requests", async () => {
  const commands = Array.from({ length: refs }, (_, at) => `${zeroOid} ${commits[at % commits.length]} refs/${at % 2 === 0 ? "heads" : "tags"}/many/n${at}`);
  const { status, cpuMs } = await measured("POST", `/${owner}/${repo}.git/git-receive-pack`, pushBody({ commands }), "application/x-git-receive-pack-request");
  expect(status).toBe(200);
  expect(cpuMs).toBeLessThan(limitMs);
  expect((await http.json<{ branch_count: number }>("GET", `/api/v1/repos/${owner}/${repo}`)).branch_count).toBe(refs / 2 + 4);
}, 120_000);

/** The addresses of a route in the large repository; none for a route with other parameters. */
function addressesOf({ path, mount }: Route): readonly string[] {
  const isApi = mount === "api";
  const filesIn = (place: string): readonly string[] => [worst.linesFile, worst.directory].map((name) => (place === "" ? name : `${place}/${name}`));
  const place = isApi ? "" : /_edit|_new|_delete|_upload|\/tree|\/blob/.test(path) ? "main" : "branch/main";
  const values: Readonly<Record<string, readonly string[]>> = {
    owner: [owner],
    repo: [repo],
    sha: [changes],
    ref: path.includes("git/refs") ? ["heads"] : ["main"],
    branch: ["main"],
    tag: ["many/n1"],
    basehead: [`${worst.first}...main`, `main...${worst.changes}`],
    filepath: filesIn(place),
    archive: ["main.zip", "main.tar.gz"],
    index: ["1"],
    diffType: ["diff", "patch"],
    base: ["main"],
    head: [worst.changes],
  };
  const names = [...path.matchAll(/\{(\w+)[+*]?\}/g)].map(([, name = ""]) => name);
  if (!names.includes("repo") || names.some((name) => values[name] === undefined)) return [];
  const paths = names.reduce<readonly string[]>(
    (made, name) => made.flatMap((text) => (values[name] ?? []).map((value) => text.replace(/\{\w+[+*]?\}/, value))),
    [path],
  );
  return paths.map((one) => (isApi ? `/api/v1${one}` : one));
}

test("no GET route of a repository with many refs, files, lines and commits blocks other requests", async () => {
  const addresses = routes.filter(({ method }) => method === "GET").flatMap(addressesOf);
  const gitAddresses = ["git-upload-pack", "git-receive-pack"].map((service) => `/${owner}/${repo}.git/info/refs?service=${service}`);
  const blocked: string[] = [];
  const failed: string[] = [];
  let answered = 0;
  for (const address of [...addresses, ...gitAddresses]) {
    const { status, cpuMs } = await measured("GET", address);
    if (status >= 500) failed.push(`${status} ${address}`);
    if (status === 200) answered += 1;
    if (cpuMs >= limitMs) blocked.push(`${Math.round(cpuMs)} ms: ${address}`);
  }
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  expect(blocked).toEqual([]);
}, 600_000);
