import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createForge } from "../src/app/forge.ts";
import { loadConfig } from "../src/config/config.ts";
import type { Route } from "../src/http/route.ts";
import { startProgram } from "../test/kit/program.ts";
import { emptyPack, pushBody, zeroOid } from "../test/kit/raw-push.ts";
import { openGitClient } from "./git-client.ts";
import { openClient } from "./http-client.ts";
import type { LoopReport } from "./loop-monitor.mjs";
import { openMonitorReader } from "./monitored-server.ts";
import { openWorstRepository, worst } from "./worst-repository.ts";

const token = "d7".repeat(20);
const owner = "chief";
const repo = "worst";
const receivePath = `/${owner}/${repo}.git/git-receive-pack`;
const receiveType = "application/x-git-receive-pack-request";

/** Refs of the push, half of them branches: as many as a push may have. */
export const pushedRefs = 20_000;
/** Refs that are there before, half of them branches. With those of the push there are 50,000. */
export const earlierRefs = 30_000;
const earlierPushes = 2;

/** A response, and the load of the event loop until it was complete. */
export interface MonitoredAnswer {
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  readonly loop: LoopReport;
}

/** The real program with the repository of {@link openWorstRepository}. */
export interface WorstSite extends AsyncDisposable {
  /** Each GET route of the repository, with parameters that exist in it. */
  readonly addresses: readonly string[];
  get(path: string): Promise<MonitoredAnswer>;
  /** Pushes {@link pushedRefs} refs at once. */
  pushRefs(): Promise<MonitoredAnswer>;
  countBranches(): Promise<number>;
}

export async function openWorstSite(): Promise<WorstSite> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-worst-"));
  const git = openGitClient(folder);
  const { path: made, commits } = await openWorstRepository(git);
  const changes = await git.run(["-C", made, "rev-parse", worst.changes]);
  const reader = openMonitorReader();
  const program = await startProgram({
    ...reader.settings,
    HEARTH_DATA: join(folder, "data"),
    HEARTH_ADMIN_USERNAME: owner,
    HEARTH_ADMIN_PASSWORD: "a long pass phrase",
    HEARTH_ADMIN_TOKEN: token,
  });
  const http = openClient(program.url, token);
  const bodyOf = (folder: string, refs: number): Buffer =>
    pushBody({
      commands: Array.from({ length: refs }, (_, at) => `${zeroOid} ${commits[at % commits.length]} refs/${at % 2 === 0 ? "heads" : "tags"}/${folder}/n${at}`),
      pack: emptyPack(),
    });
  await http.json("POST", "/api/v1/user/repos", { name: repo, default_branch: "main" });
  await git.run(["-C", made, "push", "-q", `${program.url.replace("://", `://${owner}:${token}@`)}/${owner}/${repo}.git`, "refs/heads/*:refs/heads/*"]);
  for (let push = 0; push < earlierPushes; push += 1) await http.send("POST", receivePath, bodyOf(`early-${push}`, earlierRefs / earlierPushes), receiveType);
  await http.json("POST", `/api/v1/repos/${owner}/${repo}/pulls`, { title: "Changes", head: worst.changes, base: "main" });

  async function send(method: string, path: string, body?: Buffer, contentType?: string): Promise<MonitoredAnswer> {
    await reader.report(program.pid);
    const { status, body: answer } = await http.send(method, path, body, contentType);
    return { path, status, bytes: answer.length, loop: await reader.report(program.pid) };
  }
  const routes = await routesOfProgram(join(folder, "routes"));
  const gitAddresses = ["git-upload-pack", "git-receive-pack"].map((service) => `/${owner}/${repo}.git/info/refs?service=${service}`);
  return {
    addresses: [...routes.filter(({ method }) => method === "GET").flatMap((route) => addressesOf(route, changes)), ...gitAddresses],
    get: (path) => send("GET", path),
    pushRefs: () => send("POST", receivePath, bodyOf("many", pushedRefs), receiveType),
    countBranches: async () => (await http.json<{ branch_count: number }>("GET", `/api/v1/repos/${owner}/${repo}`)).branch_count,
    async [Symbol.asyncDispose]() {
      http.close();
      await program[Symbol.asyncDispose]();
      reader.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function routesOfProgram(dataDirectory: string): Promise<readonly Route[]> {
  const settings = { HEARTH_DATA: dataDirectory, HEARTH_PORT: "0", HEARTH_SSH_ENABLED: "false", HEARTH_LOG_LEVEL: "error" };
  await using forge = await createForge(loadConfig({ PATH: process.env.PATH ?? "", ...settings }));
  return forge.routes;
}

/** The addresses of a route in the large repository; none for a route with other parameters. */
function addressesOf({ path, mount }: Route, changes: string): readonly string[] {
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
