import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createApiClient } from "../kit/api-client.ts";
import { createGitUser } from "../kit/git-user.ts";
import { checker } from "./checker.ts";
import { type Round, runRound } from "./round.ts";
import { adminToken, startSite } from "./site.ts";
import { checkSlots, slotRecorder } from "./verify.ts";

const usage = `npm run torture -- [--seeds 50] [--first 1] [--seconds 15] [--nodes 3]

Starts nodes on PostgreSQL with a synchronous standby and an S3 service, and uses them while they are killed, paused and cut off, the primary is
killed and replaced, and copies are deleted. After each seed it repairs everything and checks that no acknowledged write is lost and none is half
done, that an order of all operations on refs explains everything that was read, and that webhooks and schedules did their work. Every tenth seed
pauses a node for longer than the leases of its jobs. Faults follow from the seed. Needs go, and PostgreSQL 15 or newer.`;

const workflow = `on: { schedule: [{ cron: "* * * * *" }] }\njobs: { j: { runs-on: none, steps: [{ run: "true" }] } }\n`;

const seconds = (ms: number | undefined): string => (ms === undefined ? "-" : `${(ms / 1000).toFixed(1)} s`);

function report(seed: number, { problems, record, faults, afterKillMs, afterPromotionMs }: Round): void {
  const writes = record.operations.filter(({ kind, outcome }) => kind === "write" && outcome === "done").length;
  const kinds = Map.groupBy(faults, ({ kind }) => kind);
  const list = [...kinds].map(([kind, all]) => `${all.length} ${kind}`).join(", ");
  const acknowledged = `${writes} pushes, ${record.files.acknowledged.size} files, ${record.issues.acknowledged.size} issues`;
  const times = `slowest ${seconds(record.slowestMs)}, write after a kill ${seconds(afterKillMs)}, after a promotion ${seconds(afterPromotionMs)}`;
  process.stdout.write(`seed ${seed}: ${problems.length === 0 ? "ok" : "FAILED"}; ${acknowledged}; ${times}; ${list}\n`);
  for (const problem of problems.slice(0, 20)) process.stdout.write(`  ${problem}\n`);
}

const { values } = parseArgs({
  options: { seeds: { type: "string" }, first: { type: "string" }, seconds: { type: "string" }, nodes: { type: "string" }, help: { type: "boolean" } },
});
if (values.help === true) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
await checker.ensure();
await using site = await startSite(Number(values.nodes ?? 3));
await using git = await createGitUser();
await site.query(slotRecorder);
const api = createApiClient(site.nodes[0]?.program?.url ?? "", `token ${adminToken}`);
await api.post("/user/repos", { name: "scheduled", auto_init: true }).expect(201);
const content = Buffer.from(workflow).toString("base64");
await api.post("/repos/chief/scheduled/contents/.gitea/workflows/each-minute.yml", { content, message: "Add a schedule" }).expect(201);

const first = Number(values.first ?? 1);
let failed = 0;
for (let seed = first; seed < first + Number(values.seeds ?? 50); seed += 1) {
  const round = await runRound(site, git, { seed, durationMs: Number(values.seconds ?? 15) * 1000, pausesLong: seed % 10 === 0 });
  report(seed, round);
  if (round.problems.length === 0) continue;
  failed += 1;
  const folder = join(tmpdir(), `hearth-torture-seed-${seed}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "operations.json"), JSON.stringify(round.record.operations));
  writeFileSync(join(folder, "faults.json"), JSON.stringify(round.faults, null, 1));
  for (const { name, program } of site.nodes) writeFileSync(join(folder, `${name}.log`), program?.output() ?? "");
  process.stdout.write(`  ${folder} has the operations and the logs\n`);
}
const slots = await checkSlots(site);
for (const problem of slots) process.stdout.write(`${problem}\n`);
process.exitCode = failed + slots.length > 0 ? 1 : 0;
