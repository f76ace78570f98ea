import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type RunningServer, startServer } from "../tools/server.ts";
import { forkWork } from "./fork-work.ts";
import { type GitClient, openGitClient } from "./git-client.ts";
import { gitWork } from "./git-work.ts";
import { httpWork } from "./http-work.ts";
import { issueWork } from "./issue-work.ts";
import { type Contender, type Measured, measure } from "./measure.ts";
import { pageWork } from "./page-work.ts";
import { type FigureItem, processWork } from "./process-work.ts";
import { pullWork } from "./pull-work.ts";
import { openSite, type Site } from "./site.ts";
import { openSource } from "./source.ts";
import { formatTable, type Row, verdictOf } from "./table.ts";
import { openTarget, type Target } from "./target.ts";
import { shortened, type WorkItem } from "./work.ts";

const usage = `npm run bench -- [--only id,...] [--short] [--concurrency n] [--json file]
                 [--against URL --against-token TOKEN [--against-pid PID]]
npm run bench -- --scale [--help]        lists on a site with 20,000 repositories and a million issues

Starts the built program, creates data through its public interface, and prints the cost of each operation: latency as clients measure it, CPU time of
all server processes, git processes and SQL statements. "ceiling" is the limit for CPU ms, or for the figure of the row.

  --only         run these rows only (${[...httpWork, ...issueWork, ...pullWork, ...gitWork, ...forkWork, ...pageWork, ...processWork].map(({ id }) => id).join(", ")})
  --short        run each operation a few times, to check that it works; the figures are not meaningful
  --concurrency  concurrent requests (default 4)
  --json         write the figures to a file
  --against      run the same operations on another server with the same API, alternating round by round, and print the ratio`;

interface Options {
  readonly only: ReadonlySet<string> | undefined;
  readonly isShort: boolean;
  readonly concurrency: number;
  readonly jsonPath: string | undefined;
  readonly rival: { readonly name: string; readonly url: string; readonly token: string; readonly pid: number | undefined } | undefined;
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      short: { type: "boolean", default: false },
      concurrency: { type: "string", default: "4" },
      json: { type: "string" },
      against: { type: "string" },
      "against-token": { type: "string" },
      "against-pid": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { against, "against-token": token = "", "against-pid": pid } = values;
  return {
    only: values.only === undefined ? undefined : new Set(values.only.split(",")),
    isShort: values.short,
    concurrency: Number(values.concurrency),
    jsonPath: values.json,
    rival: against === undefined ? undefined : { name: new URL(against).host, url: against, token, pid: pid === undefined ? undefined : Number(pid) },
  };
}

async function runBench(options: Options): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  const git = openGitClient(folder);
  const isSelected = ({ id }: { readonly id: string }): boolean => options.only === undefined || options.only.has(id);
  const rows: Row[] = [];
  const add = (row: Row): void => {
    rows.push(row);
    process.stderr.write(`${row.title}${row.failure === undefined ? "" : `: ${row.failure}`}\n`);
  };
  let server: RunningServer | undefined;
  const targets: Target[] = [];
  try {
    // The server's last logged error.
    const lastError = (): string => server?.log().findLast((line) => line.includes('"level":50')) ?? "";
    const repeated = [...httpWork, ...issueWork, ...pullWork, ...gitWork, ...forkWork].filter(isSelected);
    if (repeated.length > 0) {
      server = await startServer({ settings: { HEARTH_METRICS: "true", HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback" } });
      targets.push(await openTarget({ name: "hearth", url: server.url, token: server.token, hasCounters: true, pid: server.pid }));
      if (options.rival !== undefined) targets.push(await openTarget({ ...options.rival, hasCounters: false }));
      const source = await openSource(git);
      console.log(`${source.name}: ${source.commits} commits, ${source.refs} refs; concurrency ${options.concurrency}${options.isShort ? "; short" : ""}`);
      const sites = targets.map((target) => openSite(target, git, source));
      for (const item of repeated) add(withDetail(await runItem(item, sites, options), lastError()));
    }
    for (const item of [...pageWork, ...processWork].filter(isSelected)) add(await takeFigure(item, git, options.isShort));
  } finally {
    for (const { http } of targets) http.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  report(rows, options, ["hearth", ...(options.rival === undefined ? [] : [options.rival.name])]);
  return rows.length > 0 && rows.every(({ failure }) => failure === undefined);
}

async function runItem({ id, title, ceilingMs, effort, isSequential, open }: WorkItem, sites: readonly Site[], options: Options): Promise<Row> {
  const row = { id, title, ...(ceilingMs === undefined ? {} : { ceiling: ceilingMs }) };
  const chosen = { ...(options.isShort ? shortened(effort) : effort), concurrency: isSequential === true ? 1 : options.concurrency };
  try {
    const contenders: Contender[] = [];
    for (const site of sites) contenders.push({ target: site.target, operation: await open(site, chosen.rounds * chosen.roundOperations) });
    return { ...row, results: await measure(contenders, chosen) };
  } catch (error) {
    return { ...row, results: [] satisfies Measured[], failure: describe(error) };
  }
}

const withDetail = (row: Row, detail: string): Row => (row.failure === undefined || detail === "" ? row : { ...row, failure: `${row.failure}\n  ${detail}` });

async function takeFigure({ id, title, unit, ceiling, take }: FigureItem, git: GitClient, isShort: boolean): Promise<Row> {
  const row = { id, title, results: [], ...(ceiling === undefined ? {} : { ceiling }) };
  try {
    return { ...row, figure: { value: await take(git, isShort), unit } };
  } catch (error) {
    return { ...row, failure: describe(error) };
  }
}

const describe = (error: unknown): string => (error as Error).message.trim().split("\n").slice(0, 3).join(" ");

function report(rows: readonly Row[], options: Options, names: readonly string[]): void {
  // The figures of a short run are not meaningful, so they are not compared to ceilings.
  const shown = options.isShort ? rows.map(({ ceiling: _ceiling, ...row }) => row) : rows;
  console.log(formatTable(shown, names));
  const verdicts = rows.map(verdictOf).filter((verdict) => verdict !== "unknown");
  if (!options.isShort) console.log(`\n${verdicts.filter((verdict) => verdict === "within").length} of ${verdicts.length} within their ceiling`);
  if (options.jsonPath !== undefined) writeFileSync(options.jsonPath, `${JSON.stringify(rows, undefined, 2)}\n`);
}

if (import.meta.main) {
  const options = readOptions();
  if (options === undefined) console.log(usage);
  else process.exitCode = (await runBench(options)) ? 0 : 1;
}
