import { createApiClient } from "../kit/api-client.ts";
import type { GitUser } from "../kit/git-user.ts";
import { seededRandom } from "../kit/random.ts";
import { type Fault, type FaultKind, runFaults } from "./faults.ts";
import { adminToken, type Site } from "./site.ts";
import { verify } from "./verify.ts";
import { type Record, refNames, startWorkload } from "./workload.ts";

export interface Round {
  readonly problems: readonly string[];
  readonly record: Record;
  readonly faults: readonly Fault[];
  /** The longest time from a kill of a node to the next acknowledged write through another one; undefined without a kill that was the only fault. */
  readonly afterKillMs: number | undefined;
  /** The longest time from the end of a primary to the next acknowledged write, of promotions; undefined without such a one. */
  readonly afterPromotionMs: number | undefined;
}

export interface RoundOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly pausesLong: boolean;
}

/** Requests and connections recover from a fault for this long. */
const recoveryMs = 2_000;

/** Uses a new repository while components fail, repairs them, and checks everything that was acknowledged. */
export async function runRound(site: Site, git: GitUser, { seed, durationMs, pausesLong }: RoundOptions): Promise<Round> {
  const crashesBefore = site.crashes.length;
  const name = `seed-${seed}-${Date.now().toString(36)}`;
  const api = createApiClient(site.nodes[0]?.program?.url ?? "", `token ${adminToken}`);
  await api.post("/user/repos", { name, auto_init: true }).expect(201);
  const config = { url: `${site.receiver.url}/${name}`, content_type: "json" };
  await api.post(`/repos/chief/${name}/hooks`, { type: "gitea", config, events: ["issues", "push"], active: true }).expect(201);
  for (const branch of refNames) await api.post(`/repos/chief/${name}/branches`, { new_branch_name: branch }).expect(201);
  const { commit } = await api.get(`/repos/chief/${name}/branches/main`).expect(200);
  const workload = startWorkload(site, name, commit.id, seededRandom(seed * 2 + 1));
  const faults = await runFaults(site, { durationMs, below: seededRandom(seed * 2), pausesLong });
  await workload.stop();
  const { record } = workload;
  for (const node of site.nodes) await node.start();
  const problems = [...site.crashes.slice(crashesBefore), ...(await verify(site, name, record, git).catch((error: unknown) => [String(error)]))];
  return {
    problems,
    record,
    faults,
    afterKillMs: longest(record, faults, "kill node"),
    afterPromotionMs: longest(record, faults, "promote standby"),
  };
}

/** Only of faults during which there was no other one, apart from deleted copies. */
function longest({ writes }: Record, faults: readonly Fault[], kind: FaultKind): number | undefined {
  const gaps = faults.flatMap((fault) => {
    const next = writes.find(({ atMs, node }) => atMs > fault.atMs && node !== fault.node)?.atMs;
    if (fault.kind !== kind || next === undefined) return [];
    const hasCompany = faults.some((other) => other !== fault && other.kind !== "wipe copies" && other.atMs < next && other.endMs > fault.atMs - recoveryMs);
    return hasCompany ? [] : [next - fault.atMs];
  });
  return gaps.length === 0 ? undefined : Math.max(...gaps);
}
