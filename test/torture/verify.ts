import { setTimeout as sleep } from "node:timers/promises";
import { createApiClient } from "../kit/api-client.ts";
import type { GitUser } from "../kit/git-user.ts";
import { findDisorder } from "./checker.ts";
import { adminToken, type Site } from "./site.ts";
import { type Record, refNames } from "./workload.ts";

const patienceMs = 120_000;
const recoveryMs = 30_000;

/** Repeats a check until it finds nothing, for work that continues after the last request. @returns the last result */
async function untilEmpty(check: () => Promise<readonly string[]>): Promise<readonly string[]> {
  for (const endMs = performance.now() + patienceMs; ; await sleep(250)) {
    const found = await check();
    if (found.length === 0 || performance.now() > endMs) return found;
  }
}

/** Repeats a request that fails: connections to a component can be broken for a moment after its repair. */
async function once<T>(request: () => Promise<T>): Promise<T> {
  for (const endMs = performance.now() + recoveryMs; ; await sleep(500)) {
    try {
      return await request();
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
  }
}

/** @returns everything that contradicts the record, one line each */
export async function verify(site: Site, repository: string, record: Record, git: GitUser): Promise<readonly string[]> {
  await untilEmpty(async () => {
    const answers = await Promise.all(
      site.nodes.map(({ program }) =>
        fetch(`${program?.url}/api/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    return answers.every(Boolean) ? [] : ["a node is not ready"];
  });
  const problems = [...record.violations];
  const finalOf = new Map<string, string>();
  for (const node of site.nodes) {
    const url = node.program?.url ?? "";
    const api = createApiClient(url, `token ${adminToken}`);
    for (const ref of refNames) {
      const callNs = Math.round(performance.now() * 1e6);
      const { commit } = await once(() => api.get(`/repos/chief/${repository}/branches/${ref}`).expect(200));
      record.operations.push({ client: 99, ref, kind: "read", from: "", to: commit.id, outcome: "done", callNs, endNs: Math.round(performance.now() * 1e6) });
      finalOf.set(ref, commit.id);
    }
    problems.push(...(await checkClone(node.name, `${url.replace("://", `://chief:${adminToken}@`)}/chief/${repository}.git`, repository, record, git)));
  }
  problems.push(...(await findDisorder(record.operations)).map((line) => `no order of the operations explains what was read of ${line}`));
  problems.push(...(await checkIssues(site, repository, record)));
  problems.push(...(await untilEmpty(async () => checkWebhooks(site, repository, record, finalOf))));
  problems.push(...(await checkSlots(site)));
  return problems;
}

async function checkClone(name: string, origin: string, repository: string, { files }: Record, git: GitUser): Promise<string[]> {
  const copy = `${repository}-${name}`;
  await once(() => git.git(".", "clone", "-q", "--mirror", origin, copy));
  const problems: string[] = [];
  await git.git(copy, "fsck", "--full", "--strict").catch((error: unknown) => problems.push(`the clone of ${name} is damaged: ${String(error)}`));
  const found = new Map(
    (await git.git(copy, "ls-tree", "-r", "main")).split("\n").flatMap((line): [string, string][] => {
      const [, oid = "", path = ""] = /^\d+ blob ([0-9a-f]+)\t(.*)$/.exec(line) ?? [];
      return path === "" ? [] : [[path, oid]];
    }),
  );
  for (const [path, oid] of files.acknowledged) if (found.get(path) !== oid) problems.push(`${name} has lost the acknowledged file ${path}`);
  for (const [path, oid] of files.unknown) if (found.has(path) && found.get(path) !== oid) problems.push(`${name} has half of the file ${path}`);
  return problems;
}

async function checkIssues(site: Site, repository: string, { issues }: Record): Promise<string[]> {
  const api = createApiClient(site.nodes[0]?.program?.url ?? "", `token ${adminToken}`);
  const counts = new Map<string, number>();
  const numbers = new Set<number>();
  const problems: string[] = [];
  for (let page = 1; ; page += 1) {
    const list = `/repos/chief/${repository}/issues?state=all&limit=50&page=${page}`;
    const found: readonly { readonly title: string; readonly number: number }[] = await once(() => api.get(list).expect(200));
    for (const { title, number } of found) {
      counts.set(title, (counts.get(title) ?? 0) + 1);
      if (numbers.has(number)) problems.push(`two issues have the number ${number}`);
      numbers.add(number);
    }
    if (found.length < 50) break;
  }
  for (const title of issues.acknowledged) if (!counts.has(title)) problems.push(`the acknowledged issue ${title} is lost`);
  for (const [title, count] of counts) if (count > 1) problems.push(`the issue ${title} exists ${count} times`);
  for (const title of counts.keys()) if (!issues.acknowledged.has(title) && !issues.unknown.has(title)) problems.push(`the issue ${title} was never requested`);
  return problems;
}

/** Each move of a ref was delivered, for the first time in the order of the moves. */
function checkWebhooks(site: Site, repository: string, { issues }: Record, finalOf: ReadonlyMap<string, string>): readonly string[] {
  const problems: string[] = [];
  const tips = new Map<string, string>();
  const seen = new Set<string>();
  const titles = new Set<string>();
  for (const { headers, body } of site.receiver.at(`/${repository}`)) {
    const payload = JSON.parse(body);
    if (headers["x-gitea-event"] === "issues") titles.add(payload.issue.title);
    if (headers["x-gitea-event"] !== "push") continue;
    const ref = String(payload.ref).replace("refs/heads/", "");
    if (!finalOf.has(ref) || seen.has(payload.after)) continue;
    seen.add(payload.after);
    const tip = tips.get(ref);
    if (tip !== undefined && tip !== payload.before) problems.push(`the webhook of ${ref} came out of order: ${payload.before} after ${tip}`);
    tips.set(ref, payload.after);
  }
  for (const [ref, tip] of tips) if (finalOf.get(ref) !== tip) problems.push(`the webhook of the last move of ${ref} is missing`);
  for (const title of issues.acknowledged) if (!titles.has(title)) problems.push(`the webhook of the issue ${title} is missing`);
  return problems;
}

/** Records each slot of a schedule that is taken, in the transaction that takes it. */
export const slotRecorder = [
  "create table torture_slots (source text not null, id text not null, due_ms bigint not null)",
  `create function torture_slot() returns trigger language plpgsql as $$ begin
     insert into torture_slots values (tg_table_name, coalesce(to_jsonb(old) ->> 'name', to_jsonb(old) ->> 'id'), old.next_run_ms); return new; end $$`,
  `create trigger torture_slot after update on schedules for each row
     when (new.runs > old.runs and new.next_run_ms > old.next_run_ms) execute function torture_slot()`,
  `create trigger torture_slot after update on action_workflows for each row
     when (new.next_run_ms > old.next_run_ms) execute function torture_slot()`,
].join(";\n");

export async function checkSlots(site: Site): Promise<string[]> {
  const repeated = await site.query<{ readonly source: string; readonly id: string; readonly due_ms: string; readonly count: string }>(
    "select source, id, due_ms, count(*) from torture_slots group by source, id, due_ms having count(*) > 1",
  );
  const [runs] = await site.query<{ readonly slots: string; readonly runs: string }>(
    `select (select count(*) from torture_slots where source = 'action_workflows') as slots,
            (select count(*) from action_runs where trigger = 'schedule') as runs`,
  );
  return [
    ...repeated.map(({ source, id, due_ms, count }) => `the slot ${due_ms} of ${source} ${id} was taken ${count} times`),
    ...(runs?.slots === runs?.runs ? [] : [`${runs?.slots} times of a scheduled workflow started ${runs?.runs} runs`]),
  ];
}
