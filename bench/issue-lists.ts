import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NumberOption, seed, words } from "./issue-seed.ts";
import { openSite, type Site } from "./issue-site.ts";
import { treeCpuMs } from "./process-tree.ts";

const usage = `npm run bench -- issue-lists [--issues 100000] [--repositories 9] [--others 100000] [--postgres] [--keep DIRECTORY]

Creates a repository with --issues issues and --repositories others with --others issues each, directly in the database, and prints the cost of
lists, filters and searches. --postgres uses a PostgreSQL server of its own, HEARTH_DATABASE_URL an existing one; the default is SQLite. All data is
deleted at the end, unless --keep names a directory (with a short path, for the server's socket). The next run with this directory measures immediately.`;

const runs = 200;
/** Requests that are not counted: the figures are those of a warm server. */
const warmUps = 20;

/** Median CPU time of this process, average CPU time of its own database server, and real time, in milliseconds. CPU time depends less on other processes. */
async function measureList({ call, forge }: Site, title: string, path: string): Promise<string> {
  const { total } = await call("GET", path);
  for (let run = 0; run < warmUps; run += 1) await call("GET", path);
  const { counters } = forge.context.db;
  const statements = counters.statements;
  const childrenBefore = childrenCpuMs();
  const cpu: number[] = [];
  const wall: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    const startedAt = performance.now();
    await call("GET", path);
    wall.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1_000);
  }
  const database = ((childrenCpuMs() - childrenBefore) / runs).toFixed(1);
  const cells = [total, ((counters.statements - statements) / runs).toFixed(1), quantile(cpu, 0.5), database, quantile(wall, 0.5), quantile(wall, 0.99)];
  return `| ${[title.padEnd(40), ...cells.map((cell) => String(cell).padStart(8))].join(" | ")} |`;
}

/** CPU time of the child processes. */
function childrenCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return treeCpuMs(process.pid) - (user + system) / 1_000;
}

function quantile(values: readonly number[], part: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[Math.ceil(part * sorted.length) - 1] ?? 0).toFixed(1);
}

/** An ending of words that is in 157,000 of a million issues. */
const common = "x17";

async function measureLists(site: Site, issues: number): Promise<void> {
  const big = "/repos/chief/big/issues?limit=50";
  const everywhere = "/repos/issues/search?limit=50";
  const { total: open } = await site.call("GET", big);
  const { total: everyOpen } = await site.call("GET", everywhere);
  const { total: labelled } = await site.call("GET", `${big}&labels=label3`);
  const cases: readonly (readonly [string, string])[] = [
    ["open, first page", big],
    ["open, middle page", `${big}&page=${Math.ceil(open / 100)}`],
    ["open, last page", `${big}&page=${Math.ceil(open / 50)}`],
    ["all, last page", `${big}&state=all&page=${Math.ceil(issues / 50)}`],
    ["label", `${big}&labels=label3`],
    ["label, last page", `${big}&labels=label3&page=${Math.ceil(labelled / 50)}`],
    ["milestone", `${big}&milestones=m3`],
    ["author", `${big}&created_by=user3`],
    ["assignee", `${big}&assigned_by=user3`],
    ["label, milestone and assignee", `${big}&labels=label3&milestones=m3&assigned_by=user3`],
    ["changed since a time in the future", `${big}&since=2099-01-01T00:00:00Z`],
    ["search: rare word", `${big}&q=${words[17]}`],
    ["search: two rare words", `${big}&q=${words[17]}+${words[900]}`],
    ["search: frequent word", `${big}&q=${common}`],
    ["search: two characters", `${big}&q=w1`],
    ["search: one character", `${big}&q=x`],
    ["search: rare word, all states, last page", `${big}&state=all&q=${words[17]}&page=2`],
    ["all repositories, first page", everywhere],
    ["all repositories, page 30", `${everywhere}&page=30`],
    ["all repositories, last page", `${everywhere}&page=${Math.ceil(everyOpen / 50)}`],
    ["all repositories, author", `${everywhere}&created_by=user3`],
    ["all repositories, label", `${everywhere}&labels=label3`],
    ["all repositories, rare word", `${everywhere}&q=${words[17]}`],
    ["all repositories, frequent word", `${everywhere}&q=${common}`],
    ["all repositories, two characters", `${everywhere}&q=w1`],
    ["all repositories, by update", `${everywhere}&sort=recentupdate`],
    ["all repositories, by update, page 30", `${everywhere}&sort=recentupdate&page=30`],
    ["all repositories, author, by update", `${everywhere}&created_by=user3&sort=recentupdate`],
    ["all repositories, label, by update", `${everywhere}&labels=label3&sort=recentupdate`],
  ];
  console.log("| list of 50 issues                        |    total | SQL      | CPU ms   | database | p50 ms   | p99 ms   |");
  console.log(`|${"-".repeat(42)}|${"---------:|".repeat(6)}`);
  for (const [title, path] of cases) console.log(await measureList(site, title, path));
}

interface Where {
  readonly kept: string | undefined;
  readonly isPostgres: boolean;
}

/** Seeds the directory unless it contains the mark of a complete seed. */
async function main(numberOption: NumberOption, { kept, isPostgres }: Where): Promise<void> {
  const directory = kept ?? mkdtempSync(join(tmpdir(), "hearth-issues-"));
  const mark = join(directory, "seeded");
  mkdirSync(directory, { recursive: true });
  try {
    await using site = await openSite(directory, isPostgres);
    if (!existsSync(mark)) await seed(site, numberOption);
    mkdirSync(mark, { recursive: true });
    await measureLists(site, numberOption("issues", 100_000));
  } finally {
    if (kept === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const optionOf = (name: string): string | undefined => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined);
  const numberOption: NumberOption = (name, fallback) => Number(optionOf(name) ?? fallback);
  if (args.includes("--help")) console.log(usage);
  else await main(numberOption, { kept: optionOf("keep"), isPostgres: args.includes("--postgres") });
}
