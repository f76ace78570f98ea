import { sql } from "kysely";
import type { Tx } from "../src/db/db.ts";
import type { Site } from "./issue-site.ts";

const people = 50;
const chunk = 1_000;

const idOf = (json: unknown): number => (json as { readonly id: number }).id;

/** A random generator with a fixed seed, so that all runs use the same data. */
function createRandom(): (sides: number) => number {
  let state = 1;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

export const words = Array.from({ length: 2_000 }, (_, index) => `w${((index * 7_919) % 99_991).toString(36)}x${index}`);

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
  random: (sides: number) => number,
): Promise<void> {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  let closed = 0;
  const rows = Array.from({ length: count }, (_, at) => {
    const isClosed = random(10) < 3 ? 1 : 0;
    closed += isClosed;
    const times = { created_ms: tx.nowMs, updated_ms: tx.nowMs, closed_ms: isClosed === 1 ? tx.nowMs : null };
    const links = { poster_id: pick(accountIds), milestone_id: random(2) === 0 ? pick(milestoneIds) : null };
    const texts = { title: `${pick(words)} ${pick(words)}`, content: `${pick(words)} `.repeat(30), ref: "" };
    return { repo_id: repoId, number: from + at, is_pull: 0, is_closed: isClosed, ...texts, ...links, ...times };
  });
  const inserted = await tx.sql.insertInto("issues").values(rows).returning(["id", "number"]).execute();
  const ids = inserted.sort((one, other) => one.number - other.number).map(({ id }) => id);
  const labels = ids.flatMap((issue_id) => [...new Set([pick(labelIds), pick(labelIds)])].map((label_id) => ({ label_id, issue_id })));
  await tx.sql.insertInto("issue_labels").values(labels).execute();
  await tx.sql
    .insertInto("issue_assignees")
    .values(ids.map((issue_id) => ({ issue_id, account_id: pick(accountIds), position: 1 })))
    .execute();
  const textKey = sql.ref(tx.dialect === "sqlite" ? "rowid" : "id");
  await sql`insert into issue_texts (${textKey}, content) select id, lower(title) || ${"\n"} || lower(content) from issues
    where repo_id = ${repoId} and number >= ${from}`.execute(tx.sql);
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
  random: (sides: number) => number,
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
    await forge.context.db.tx((tx) => seedChunk(tx, seeded, from, Math.min(chunk, count - from + 1), random));
  }
}

/** Returns a number from the command line, or its default. */
export type NumberOption = (name: string, fallback: number) => number;

/** Creates the index of texts at the end, which takes a tenth of the time of updating it for each row. */
async function withoutTextIndex(site: Site, work: () => Promise<void>): Promise<void> {
  const name = "issue_texts_content";
  const [index] = await site.maintain<{ indexdef: string }>(`select indexdef from pg_indexes where indexname = '${name}'`);
  if (index === undefined) return work();
  await site.maintain(`drop index ${name}`);
  await work();
  await site.maintain(`set maintenance_work_mem = '512MB'; ${index.indexdef}`);
  await site.maintain("vacuum analyze");
}

export async function seed(site: Site, numberOption: NumberOption): Promise<void> {
  const random = createRandom();
  const accountIds: number[] = [];
  for (let at = 0; at < people; at += 1) {
    const account = { username: `user${at}`, email: `user${at}@example.com`, password: "user's pass phrase", must_change_password: false };
    accountIds.push(idOf((await site.call("POST", "/admin/users", account)).json));
  }
  const started = Date.now();
  await withoutTextIndex(site, async () => {
    await seedRepository(site, "big", numberOption("issues", 100_000), accountIds, random);
    for (let at = 1; at <= numberOption("repositories", 9); at += 1)
      await seedRepository(site, `other${at}`, numberOption("others", 100_000), accountIds, random);
  });
  console.log(`seeded in ${Math.round((Date.now() - started) / 1_000)} s\n`);
}
