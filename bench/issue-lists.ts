import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Given, seed, words } from "./issue-seed.ts";
import { openSite, type Site } from "./issue-site.ts";
import { treeCpuMs } from "./process-tree.ts";

const usage = `node --import ./tools/tsx.mjs bench/issue-lists.ts [--issues 100000] [--repositories 9] [--others 100000] [--postgres] [--keep DIRECTORY]

Makes a repository with so many issues, and others with so many each, writes them straight into the database, and prints what lists, filters and
searches cost. --postgres does it in a PostgreSQL server of its own, and HEARTH_DATABASE_URL names another one; else it is SQLite. Everything goes again at the end,
but for what is kept in a directory (with a short path, for a server's socket): there the next run finds it, and measures at once.`;

const runs = 200;
/** Before they are counted: how a running server answers is asked here. */
const warmUps = 20;

/** Milliseconds of CPU (the wall tells of the neighbours too): of this process by the median, of a database server of its own on average; and of the wall. */
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
  return `| ${[title.padEnd(33), ...cells.map((cell) => String(cell).padStart(8))].join(" | ")} |`;
}

/** Of what this process has started. */
function childrenCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return treeCpuMs(process.pid) - (user + system) / 1_000;
}

function quantile(values: readonly number[], part: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[Math.ceil(part * sorted.length) - 1] ?? 0).toFixed(1);
}

/** Of the numbers at the ends of words: it stands in 157,000 of a million issues. */
const common = "x17";

async function measureLists(site: Site, issues: number): Promise<void> {
  const big = "/repos/chief/big/issues?limit=50";
  const everywhere = "/repos/issues/search?limit=50";
  const { total: open } = await site.call("GET", big);
  const { total: everyOpen } = await site.call("GET", everywhere);
  const { total: labelled } = await site.call("GET", `${big}&labels=label3`);
  const cases: readonly (readonly [string, string])[] = [
    ["open, first page", big],
    ["open, in the middle", `${big}&page=${Math.ceil(open / 100)}`],
    ["open, last page", `${big}&page=${Math.ceil(open / 50)}`],
    ["all, last page", `${big}&state=all&page=${Math.ceil(issues / 50)}`],
    ["label", `${big}&labels=label3`],
    ["label, last page", `${big}&labels=label3&page=${Math.ceil(labelled / 50)}`],
    ["milestone", `${big}&milestones=m3`],
    ["author", `${big}&created_by=user3`],
    ["assignee", `${big}&assigned_by=user3`],
    ["label, milestone and assignee", `${big}&labels=label3&milestones=m3&assigned_by=user3`],
    ["changed since a moment ago", `${big}&since=2099-01-01T00:00:00Z`],
    ["a word", `${big}&q=${words[17]}`],
    ["two words", `${big}&q=${words[17]}+${words[900]}`],
    ["a word that every sixth has", `${big}&q=${common}`],
    ["two letters", `${big}&q=w1`],
    ["one letter", `${big}&q=x`],
    ["a word of all states, last page", `${big}&state=all&q=${words[17]}&page=2`],
    ["everywhere, first page", everywhere],
    ["everywhere, page 30", `${everywhere}&page=30`],
    ["everywhere, last page", `${everywhere}&page=${Math.ceil(everyOpen / 50)}`],
    ["everywhere, author", `${everywhere}&created_by=user3`],
    ["everywhere, label", `${everywhere}&labels=label3`],
    ["everywhere, a word", `${everywhere}&q=${words[17]}`],
    ["everywhere, a word of every sixth", `${everywhere}&q=${common}`],
    ["everywhere, two letters", `${everywhere}&q=w1`],
    ["everywhere, by change", `${everywhere}&sort=recentupdate`],
    ["everywhere, by change, page 30", `${everywhere}&sort=recentupdate&page=30`],
    ["everywhere, author, by change", `${everywhere}&created_by=user3&sort=recentupdate`],
    ["everywhere, label, by change", `${everywhere}&labels=label3&sort=recentupdate`],
  ];
  console.log("| list of 50 issues                 |    total | SQL      | CPU ms   | database | p50 ms   | p99 ms   |");
  console.log(`|${"-".repeat(35)}|${"---------:|".repeat(6)}`);
  for (const [title, path] of cases) console.log(await measureList(site, title, path));
}

interface Where {
  readonly kept: string | undefined;
  readonly isPostgres: boolean;
}

/** What one finds who has seeded before: the mark is made at the end. */
async function main(given: Given, { kept, isPostgres }: Where): Promise<void> {
  const directory = kept ?? mkdtempSync(join(tmpdir(), "hearth-issues-"));
  const mark = join(directory, "seeded");
  mkdirSync(directory, { recursive: true });
  try {
    await using site = await openSite(directory, isPostgres);
    if (!existsSync(mark)) await seed(site, given);
    mkdirSync(mark, { recursive: true });
    await measureLists(site, given("issues", 100_000));
  } finally {
    if (kept === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const optionOf = (name: string): string | undefined => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined);
  const given: Given = (name, otherwise) => Number(optionOf(name) ?? otherwise);
  if (args.includes("--help")) console.log(usage);
  else await main(given, { kept: optionOf("keep"), isPostgres: args.includes("--postgres") });
}
