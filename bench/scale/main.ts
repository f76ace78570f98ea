import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startServer } from "../../tools/server.ts";
import { openGitClient } from "../git-client.ts";
import { openClient } from "../http-client.ts";
import { admitDatabase, type OwnDatabase, openOwnDatabase } from "../issue-site.ts";
import { type Contender, type Effort, type Measured, measure } from "../measure.ts";
import { type MonitoredServer, startMonitoredServer } from "../monitored-server.ts";
import { memoryOf, resetPeak, settle, treeCpuMs } from "../process-tree.ts";
import { formatTable, type Row, verdictOf } from "../table.ts";
import { gitUrl, type Target } from "../target.ts";
import { largeShape, smallShape } from "./large-repository.ts";
import { listEffort, listItems, openList } from "./list-work.ts";
import { administrator, seedRepositories } from "./repository-seed.ts";
import { type RepositoryPlace, repositoryEfforts, repositoryItems } from "./repository-work.ts";
import { largeSite, type SiteShape, seedSite, smallSite, tokens } from "./site-seed.ts";

/** Starts of the server with the data of the lists. */
const startItem = { id: "start" };

const usage = `npm run bench -- --scale [--only id,...] [--folder DIRECTORY] [--postgres] [--short] [--json file]

Prints the cost of the same requests on small and large data. Lists: a site with 20,000 repositories and a million issues, and one with 100
repositories. Repositories: one with 200,000 commits, 100,000 files and 50,000 refs, and one with 500 commits. The seeds take minutes and are
kept. "ceiling" is the limit for CPU ms on both. "peak MB" is the peak memory of the server process during the row, and "block ms" the longest
block of its event loop.

  --only      these rows alone (${[...listItems, startItem, ...repositoryItems].map(({ id }) => id).join(", ")})
  --folder    where the seeds are kept (default: hearth-bench-scale in the folder for temporary files)
  --postgres  the data are in PostgreSQL servers of their own. "database CPU ms" is the CPU time of PostgreSQL, beside that of Hearth
  --short     small data alone, each row a few times, to see that it works`;

interface ScaleOptions {
  readonly only: ReadonlySet<string> | undefined;
  readonly folder: string;
  readonly isPostgres: boolean;
  readonly isShort: boolean;
  readonly jsonPath: string | undefined;
}

interface ScaleServer {
  readonly name: string;
  readonly pid: number;
  readonly report: MonitoredServer["report"];
  target(token: string): Target;
  close(): Promise<void>;
}

/** Coarse, so that the CPU time of the reports does not count. */
const loopStepMs = 25;

const settingsOf = (database: OwnDatabase | undefined) => ({ HEARTH_METRICS: "true", ...(database && { HEARTH_DATABASE_URL: database.url }) });

/** @param home has the data in `data` */
async function openServer(home: string, name: string, { user, isPostgres }: { readonly user: string; readonly isPostgres: boolean }): Promise<ScaleServer> {
  const database = isPostgres ? await openOwnDatabase(join(home, "data")) : undefined;
  const settings = settingsOf(database);
  const server = await startMonitoredServer({ folder: home, stepMs: loopStepMs, settings });
  if (isPostgres) admitDatabase(join(home, "data"));
  const targets = new Map<string, Target>();
  return {
    name,
    pid: server.pid,
    report: () => server.report(),
    target(token) {
      const http = targets.get(token)?.http ?? openClient(server.url, token);
      const target: Target = { name, url: server.url, token, http, owner: user, hasCounters: true, pid: server.pid, databasePid: database?.pid };
      targets.set(token, target);
      return target;
    },
    async close() {
      for (const { http } of targets.values()) http.close();
      await server.stop();
      await database?.[Symbol.asyncDispose]();
    },
  };
}

/** Long enough for background work to end and for unused memory to be returned. */
const restMs = 60_000;
const mebibyte = 2 ** 20;

const figure = (id: string, title: string, value: number, unit: string, ceiling: number): Row => ({ id, title, results: [], figure: { value, unit }, ceiling });

/** Memory of each server: the peak of its rows, and what remains a minute later. */
async function memoryRows(servers: readonly ScaleServer[], rows: readonly Row[], isShort: boolean): Promise<Row[]> {
  if (!isShort) await delay(restMs);
  const peakMegabytes = Math.max(...rows.flatMap(({ results }) => results.map((result) => result.peakMegabytes ?? 0)));
  return [
    figure("memory-peak", "peak memory in all rows", peakMegabytes, "MB", 350),
    ...servers.map(({ name, pid }) => figure("memory-rest", `memory a minute later, ${name}`, memoryOf(pid).residentBytes / mebibyte, "MB", 200)),
  ];
}

/** The last of these starts is followed by a minute without requests. */
const starts = 5;

async function startRows(home: string, name: string, { isPostgres, isShort }: ScaleOptions): Promise<Row[]> {
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let minuteSeconds = 0;
  for (let at = 1; at <= (isShort ? 1 : starts); at += 1) {
    const database = isPostgres ? await openOwnDatabase(join(home, "data")) : undefined;
    const server = await startServer({ folder: home, settings: settingsOf(database) });
    try {
      if (isPostgres) admitDatabase(join(home, "data"));
      const cpuMs = treeCpuMs(server.pid);
      times.push(server.startMs);
      cpuTimes.push(cpuMs);
      if (at === starts) {
        await delay(restMs);
        minuteSeconds = (treeCpuMs(server.pid) - cpuMs) / 1_000;
      }
    } finally {
      await server.stop();
      await database?.[Symbol.asyncDispose]();
    }
  }
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return [
    figure("start", `start to first response, ${name}`, median(times), "ms", 300),
    figure("start", `start to first response, ${name}`, median(cpuTimes), "CPU ms", 450),
    figure("start", `minute after the first response, ${name}`, minuteSeconds, "CPU s", 0.3),
  ];
}

/** Measures one operation, with the peak memory and the longest block of its server. */
async function measureAlone({ pid, report }: ScaleServer, contender: Contender, effort: Effort): Promise<Measured & Strain> {
  resetPeak(pid);
  await report();
  const [measured] = await measure([contender], effort);
  if (measured === undefined) throw new Error("nothing was measured");
  return { ...measured, blockMs: (await report()).cpuMs, peakMegabytes: memoryOf(pid).peakBytes / mebibyte };
}

type Strain = Required<Pick<Measured, "blockMs" | "peakMegabytes">>;

type Work = Pick<Row, "id" | "title"> & { readonly ceilingMs: number };

/** @param runs measures the row on each data set, small first */
async function takeRow({ id, title, ceilingMs }: Work, runs: readonly (() => Promise<Measured>)[]): Promise<Row> {
  const row = { id, title, ceiling: ceilingMs };
  try {
    const results: Measured[] = [];
    for (const run of runs) results.push(await run());
    // The large data are judged by the ceiling, so they come first.
    return { ...row, results: results.reverse() };
  } catch (error) {
    return { ...row, results: [], failure: (error as Error).message };
  } finally {
    process.stderr.write(`${title}\n`);
  }
}

async function siteRows(options: ScaleOptions, items: typeof listItems, hasStarts: boolean): Promise<Row[]> {
  const { folder, isPostgres, isShort } = options;
  if (items.length === 0 && !hasStarts) return [];
  const shapes: readonly (readonly [string, SiteShape])[] = [["small", smallSite], ...(isShort ? [] : [["large", largeSite] as const])];
  const homes: (readonly [name: string, home: string])[] = [];
  for (const [name, shape] of shapes) {
    const home = join(folder, isPostgres ? `${name}-postgres` : name);
    mkdirSync(home, { recursive: true });
    process.stderr.write(`${name}: ${shape.repositories} repositories\n`);
    await seedSite(join(home, "data"), shape, isPostgres);
    homes.push([name, home]);
  }
  const rows = items.length === 0 ? [] : await listRows(options, homes, items);
  if (hasStarts) for (const [name, home] of homes.toReversed()) rows.push(...(await startRows(home, name, options)));
  return rows;
}

async function listRows({ isPostgres, isShort }: ScaleOptions, homes: readonly (readonly [string, string])[], items: typeof listItems): Promise<Row[]> {
  const servers: ScaleServer[] = [];
  const rows: Row[] = [];
  try {
    for (const [name, home] of homes) servers.push(await openServer(home, name, { user: "user0", isPostgres }));
    const effort: Effort = { ...(isShort ? { rounds: 1, roundMs: 500, roundOperations: 3 } : listEffort), concurrency: 4 };
    for (const item of items) {
      const run = (server: ScaleServer) => async () => {
        const target = server.target(item.token);
        return measureAlone(server, { target, operation: await openList(target, item) }, effort);
      };
      rows.push(await takeRow(item, servers.map(run)));
    }
    return [...rows, ...(await memoryRows(servers, rows, isShort))];
  } finally {
    for (const server of servers) await server.close();
  }
}

/** The seed is older than a week, so a start checks its stores, which takes minutes of a busy machine. */
const overdueMs = 6_000;
const overdueLimitMs = 300_000;

/** Works on a copy of the seed, because first requests store derived data. */
async function repositoryRows({ folder, isPostgres, isShort }: ScaleOptions, items: typeof repositoryItems): Promise<Row[]> {
  if (items.length === 0) return [];
  const shapes = [{ name: "small", shape: smallShape }, ...(isShort ? [] : [{ name: "large", shape: largeShape }])];
  const seeds = join(folder, isShort ? "repository" : "repositories");
  process.stderr.write(`${shapes.map(({ name, shape }) => `${name}: ${shape.commits} commits`).join(", ")}\n`);
  const data = await seedRepositories(seeds, shapes, isPostgres);
  const home = join(seeds, "run");
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  // Keeps the owner, which PostgreSQL requires.
  execFileSync("cp", ["-a", data, join(home, "data")]);
  const server = await openServer(home, "repositories", { user: administrator, isPostgres });
  const rows: Row[] = [];
  try {
    if (!isShort) await settle(server.pid, overdueMs, overdueLimitMs);
    const target = server.target(tokens.admin);
    const git = openGitClient(home);
    const places = shapes.map(({ name, shape }): RepositoryPlace => {
      const source = join(seeds, `${name}.git`);
      return { name, shape, source, http: target.http, git, gitUrl: gitUrl(target, name) };
    });
    for (const item of items) {
      const effort = { ...repositoryEfforts[item.occasion], ...(isShort && { warmUpRounds: 0, rounds: 1, roundMs: 500, roundOperations: 3 }) };
      rows.push(
        await takeRow(
          item,
          places.map((place) => async () => measureAlone(server, { target, operation: await item.open(place) }, effort)),
        ),
      );
    }
    return [...rows, ...(await memoryRows([server], rows, isShort))];
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

export async function runScaleBench(options: ScaleOptions): Promise<boolean> {
  const isSelected = ({ id }: { readonly id: string }): boolean => options.only === undefined || options.only.has(id);
  const names = options.isShort ? ["small"] : ["large", "small"];
  const rows: Row[] = [];
  const print = (taken: readonly Row[]): void => {
    if (taken.length === 0) return;
    rows.push(...taken);
    console.log(`${formatTable(options.isShort ? taken.map(({ ceiling: _ceiling, ...row }) => row) : taken, names)}\n`);
  };
  print(await siteRows(options, listItems.filter(isSelected), isSelected(startItem)));
  print(await repositoryRows(options, repositoryItems.filter(isSelected)));
  if (options.jsonPath !== undefined) writeFileSync(options.jsonPath, `${JSON.stringify(rows, undefined, 2)}\n`);
  return rows.every((row) => verdictOf(row) !== "failed");
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      scale: { type: "boolean" },
      only: { type: "string" },
      folder: { type: "string", default: join(tmpdir(), "hearth-bench-scale") },
      postgres: { type: "boolean", default: false },
      short: { type: "boolean", default: false },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) console.log(usage);
  else {
    const only = values.only === undefined ? undefined : new Set(values.only.split(","));
    process.exitCode = (await runScaleBench({ only, folder: values.folder, isPostgres: values.postgres, isShort: values.short, jsonPath: values.json }))
      ? 0
      : 1;
  }
}
