import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createForge, type Forge } from "../src/app/forge.ts";
import { loadConfig } from "../src/config/config.ts";
import type { Tx } from "../src/db/db.ts";
import { insertSearchText } from "../src/features/issues/store/search.ts";

const usage = `node bench/issue-lists.ts [--issues 100000] [--repositories 9] [--others 100000] [--keep DIRECTORY]

Makes a repository with so many issues, and others with so many each, writes them straight into the database, and prints what lists, filters and
searches cost. HEARTH_DATABASE_URL names a PostgreSQL to do it in; else it is SQLite. Everything goes again at the end, but for what is kept in a
directory: there the next run finds it, and measures at once.`;

const token = "b".repeat(40);
const people = 50;
const chunk = 1_000;

interface Site {
  readonly forge: Forge;
  call(method: "GET" | "POST", path: string, body?: object): Promise<{ readonly json: unknown; readonly total: number }>;
}

async function openSite(directory: string): Promise<Site> {
  const { PATH = "", HEARTH_DATABASE_URL = "" } = process.env;
  const administrator = { HEARTH_ADMIN_USERNAME: "chief", HEARTH_ADMIN_EMAIL: "chief@example.com", HEARTH_ADMIN_PASSWORD: token, HEARTH_ADMIN_TOKEN: token };
  const settings = { HEARTH_DATA: directory, HEARTH_DATABASE_URL, HEARTH_PORT: "0", HEARTH_SSH_ENABLED: "false", HEARTH_LOG_LEVEL: "warn" };
  const forge = await createForge(loadConfig({ PATH, ...settings, ...administrator }));
  return {
    forge,
    async call(method, path, body) {
      const headers = { authorization: `token ${token}` };
      const answer = await forge.http.inject({ method, url: `/api/v1${path}`, headers, ...(body && { payload: body }) });
      if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
      return { json: answer.json(), total: Number(answer.headers["x-total-count"] ?? 0) };
    },
  };
}

const idOf = (json: unknown): number => (json as { readonly id: number }).id;

/** The same numbers in every run. */
function dice(): (sides: number) => number {
  let state = 1;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

const words = Array.from({ length: 2_000 }, (_, index) => `w${((index * 7_919) % 99_991).toString(36)}x${index}`);

interface Seeded {
  readonly repoId: number;
  readonly accountIds: readonly number[];
  readonly labelIds: readonly number[];
  readonly milestoneIds: readonly number[];
}

async function seedChunk(
  tx: Tx,
  { repoId, accountIds, labelIds, milestoneIds }: Seeded,
  from: number,
  count: number,
  roll: (sides: number) => number,
): Promise<void> {
  const pick = <T>(values: readonly T[]): T => values[roll(values.length)] as T;
  let closed = 0;
  const rows = Array.from({ length: count }, (_, at) => {
    const isClosed = roll(10) < 3 ? 1 : 0;
    closed += isClosed;
    const times = { created_ms: tx.nowMs, updated_ms: tx.nowMs, closed_ms: isClosed === 1 ? tx.nowMs : null };
    const links = { poster_id: pick(accountIds), milestone_id: roll(2) === 0 ? pick(milestoneIds) : null };
    const texts = { title: `${pick(words)} ${pick(words)}`, content: `${pick(words)} `.repeat(30), ref: "" };
    return { repo_id: repoId, number: from + at, is_pull: 0, is_closed: isClosed, ...texts, ...links, ...times };
  });
  const inserted = await tx.sql.insertInto("issues").values(rows).returning(["id", "number"]).execute();
  const ids = inserted.sort((one, other) => one.number - other.number).map(({ id }) => id);
  const labels = ids.flatMap((issue_id) => [...new Set([pick(labelIds), pick(labelIds)])].map((label_id) => ({ label_id, issue_id })));
  await tx.sql.insertInto("issue_labels").values(labels).execute();
  await tx.sql
    .insertInto("issue_assignees")
    .values(ids.map((issue_id) => ({ issue_id, account_id: pick(accountIds), place: 1 })))
    .execute();
  for (const [at, { title, content }] of rows.entries()) await insertSearchText(tx, "issue_texts", ids[at] ?? 0, `${title}\n${content}`);
  await tx.sql
    .updateTable("repositories")
    .set((eb) => ({
      last_issue_number: from + count - 1,
      open_issues_count: eb("open_issues_count", "+", count - closed),
      closed_issues_count: eb("closed_issues_count", "+", closed),
    }))
    .where("id", "=", repoId)
    .execute();
}

async function seedRepository(
  { forge, call }: Site,
  name: string,
  count: number,
  accountIds: readonly number[],
  roll: (sides: number) => number,
): Promise<void> {
  const repoId = idOf((await call("POST", "/user/repos", { name })).json);
  const labelIds: number[] = [];
  const milestoneIds: number[] = [];
  for (let at = 0; at < 20; at += 1) {
    labelIds.push(idOf((await call("POST", `/repos/chief/${name}/labels`, { name: `label${at}`, color: "#abcdef" })).json));
    milestoneIds.push(idOf((await call("POST", `/repos/chief/${name}/milestones`, { title: `m${at}` })).json));
  }
  const seeded = { repoId, accountIds, labelIds, milestoneIds };
  for (let from = 1; from <= count; from += chunk) {
    await forge.context.db.tx((tx) => seedChunk(tx, seeded, from, Math.min(chunk, count - from + 1), roll));
  }
}

const runs = 200;
/** Before they are counted: how a running server answers is asked here. */
const warmUps = 20;

/** Milliseconds of CPU of this process (the wall tells of the neighbours too), and of the wall, which tells of a database server; of so many runs. */
async function measureList({ call, forge }: Site, title: string, path: string): Promise<string> {
  const { total } = await call("GET", path);
  for (let run = 0; run < warmUps; run += 1) await call("GET", path);
  const { counters } = forge.context.db;
  const statements = counters.statements;
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
  const cells = [total, ((counters.statements - statements) / runs).toFixed(1), quantile(cpu, 0.5), quantile(wall, 0.5), quantile(wall, 0.99)];
  return `| ${[title.padEnd(33), ...cells.map((cell) => String(cell).padStart(8))].join(" | ")} |`;
}

function quantile(values: readonly number[], part: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[Math.ceil(part * sorted.length) - 1] ?? 0).toFixed(1);
}

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
    ["two letters", `${big}&q=w1`],
    ["one letter", `${big}&q=x`],
    ["a word of all states, last page", `${big}&state=all&q=${words[17]}&page=2`],
    ["everywhere, first page", everywhere],
    ["everywhere, page 30", `${everywhere}&page=30`],
    ["everywhere, last page", `${everywhere}&page=${Math.ceil(everyOpen / 50)}`],
    ["everywhere, author", `${everywhere}&created_by=user3`],
    ["everywhere, label", `${everywhere}&labels=label3`],
    ["everywhere, a word", `${everywhere}&q=${words[17]}`],
    ["everywhere, two letters", `${everywhere}&q=w1`],
  ];
  console.log("| list of 50 issues                 |    total | SQL      | CPU ms   | p50 ms   | p99 ms   |");
  console.log(`|${"-".repeat(35)}|${"---------:|".repeat(5)}`);
  for (const [title, path] of cases) console.log(await measureList(site, title, path));
}

type Given = (name: string, otherwise: number) => number;

async function seed(site: Site, given: Given): Promise<void> {
  const roll = dice();
  const accountIds: number[] = [];
  for (let at = 0; at < people; at += 1) {
    const account = { username: `user${at}`, email: `user${at}@example.com`, password: "user's pass phrase", must_change_password: false };
    accountIds.push(idOf((await site.call("POST", "/admin/users", account)).json));
  }
  const started = Date.now();
  await seedRepository(site, "big", given("issues", 100_000), accountIds, roll);
  for (let at = 1; at <= given("repositories", 9); at += 1) await seedRepository(site, `other${at}`, given("others", 100_000), accountIds, roll);
  console.log(`seeded in ${Math.round((Date.now() - started) / 1_000)} s\n`);
}

/** What one finds who has seeded before: the mark is made at the end. */
async function main(given: Given, kept: string | undefined): Promise<void> {
  const directory = kept ?? mkdtempSync(join(tmpdir(), "hearth-issues-"));
  const mark = join(directory, "seeded");
  const site = await openSite(directory);
  try {
    if (!existsSync(mark)) await seed(site, given);
    mkdirSync(mark, { recursive: true });
    await measureLists(site, given("issues", 100_000));
  } finally {
    await site.forge[Symbol.asyncDispose]();
    if (kept === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const optionOf = (name: string): string | undefined => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined);
  const given: Given = (name, otherwise) => Number(optionOf(name) ?? otherwise);
  if (args.includes("--help")) console.log(usage);
  else await main(given, optionOf("keep"));
}
