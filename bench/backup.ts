import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { seededRandom } from "../test/kit/random.ts";
import { bundlePath } from "../tools/build.mjs";
import { type RunningServer, startServer } from "../tools/server.ts";
import { openSite } from "./issue-site.ts";
import { fillSite, type SiteShape, smallSite, tokens } from "./scale/site-seed.ts";

const usage = `npm run bench -- backup [--repositories 1000] [--issues 100000] [--rounds 3] [--count 20] [--kills 10] [--seed 1]

Backs up the built program to a folder of objects while it runs, and restores it.
  writers      latency of 16 writers that create issues, comments and commits, without and with a backup of the whole site, round by round
  incremental  bytes that a backup adds after 1 % of the issues and repositories were added, and after 1 % of the issues were edited at random
  moments      backups of a small site at random moments while writers run; each is restored and checked, and has to contain every write that was
               acknowledged before it began
  kills        backups and restores that are killed at random moments and repeated
The last two use random numbers of the seed. Exits with 1 if a limit is exceeded or a backup is not consistent.`;

const { values } = parseArgs({
  options: {
    repositories: { type: "string", default: "1000" },
    issues: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    count: { type: "string", default: "20" },
    kills: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean" },
  },
});

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
const quantile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(part * numbers.length) - 1)] ?? 0;
/** Exceeded limits and inconsistent backups. */
const failures: string[] = [];
const require = (holds: boolean, failure: string): void => {
  if (!holds) failures.push(failure);
};

const fileBytes = 40_000;
/** Content that no compression makes smaller. */
const fileContent = (): string => randomBytes(fileBytes).toString("base64");

/** A data folder of a generated site. Each repository of `user0` has a file. */
async function makeSite(folder: string, shape: SiteShape): Promise<void> {
  mkdirSync(join(folder, "data"), { recursive: true });
  await using site = await openSite(join(folder, "data"), false);
  await fillSite(site, shape);
  // The generator gives repositories forks that do not exist.
  await site.forge.context.db.tx((tx) => tx.sql.updateTable("repositories").set({ forks_count: 0 }).execute());
  for (let at = 0; at < shape.ownRepositories; at += 1)
    await site.call("POST", `/repos/user0/repo-${at}/contents/data`, { message: "data", content: fileContent() });
  await site.call("POST", "/user/repos", { name: "written", auto_init: true });
  await site.call("POST", "/repos/chief/written/issues", { title: "comments" });
  await site.forge.settled();
}

interface Run {
  readonly child: ChildProcess;
  /** Exit code (null if killed) and what was printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly printed: string }>;
}

function start(data: string, ...words: readonly string[]): Run {
  const child = spawn(process.execPath, [bundlePath, ...words], {
    env: { PATH: process.env.PATH, HEARTH_DATA: data, HEARTH_SSH_ENABLED: "false" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "close") as Promise<[number | null]>;
  const ended = Promise.all([exited, text(child.stdout), text(child.stderr)]).then(([[code], out, error]) => ({ code, printed: out + error }));
  return { child, ended };
}

async function succeed(data: string, ...words: readonly string[]): Promise<string> {
  const { code, printed } = await start(data, ...words).ended;
  if (code !== 0) throw new Error(`hearth ${words.join(" ")} ended with ${code}: ${printed}`);
  return printed;
}

interface Load {
  readonly latencies: readonly number[];
  /** Texts of the comments that were acknowledged, with the time of their acknowledgement. */
  readonly written: readonly { readonly body: string; readonly ackMs: number }[];
}

/** Writers send one write after another until they are stopped: comments, issues, and a commit in eight. */
function startWriters(server: RunningServer, writers: number, name: string): { stop(): Promise<Load> } {
  let isStopped = false;
  const latencies: number[] = [];
  const written: { body: string; ackMs: number }[] = [];
  const send = async (path: string, body: object): Promise<void> => {
    const began = performance.now();
    const answer = await fetch(`${server.url}/api/v1/repos/chief/written${path}`, {
      method: "POST",
      headers: { authorization: `token ${tokens.admin}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answered = await answer.text();
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answered}`);
    latencies.push(performance.now() - began);
  };
  const run = async (writer: number): Promise<void> => {
    for (let at = 0; !isStopped; at += 1) {
      const body = `${name}-${writer}-${at}`;
      if (at % 8 === writer % 8) await send(`/contents/${body}`, { message: body, content: Buffer.from(body).toString("base64") });
      else if (at % 2 === 0) await send("/issues", { title: body, body });
      else {
        await send("/issues/1/comments", { body });
        written.push({ body, ackMs: Date.now() });
      }
    }
  };
  const running = Promise.all(Array.from({ length: writers }, (_, writer) => run(writer)));
  return {
    async stop() {
      isStopped = true;
      await running;
      return { latencies, written };
    },
  };
}

function placeBytes(place: string): number {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

async function measureWriters(server: RunningServer, folder: string, rounds: number): Promise<void> {
  const data = join(folder, "data");
  const [without, during]: [number[], number[]] = [[], []];
  const seconds: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const place = join(folder, `place-${round}`);
    const backup = startWriters(server, 16, `b${round}`);
    const began = performance.now();
    await succeed(data, "backup", `file://${place}`);
    const took = (performance.now() - began) / 1_000;
    const busy = await backup.stop();
    const alone = startWriters(server, 16, `a${round}`);
    await sleep(took * 1_000);
    const idle = await alone.stop();
    // The first round warms up.
    if (round > 0) {
      seconds.push(took);
      during.push(...busy.latencies);
      without.push(...idle.latencies);
    }
    if (round < rounds) rmSync(place, { recursive: true });
  }
  const [p50, p99] = [0.5, 0.99].map((part) => [quantile(without, part), quantile(during, part)] as const) as [
    readonly [number, number],
    readonly [number, number],
  ];
  const ratio = p99[1] / p99[0];
  console.log(`writers: a backup takes ${quantile(seconds, 0.5).toFixed(1)} s`);
  console.log(`  without a backup  ${without.length} writes, p50 ${p50[0].toFixed(1)} ms, p99 ${p99[0].toFixed(1)} ms`);
  console.log(`  during a backup   ${during.length} writes, p50 ${p50[1].toFixed(1)} ms, p99 ${p99[1].toFixed(1)} ms: ${ratio.toFixed(2)} times (limit 2)`);
  require(ratio <= 2, "p99 of writers more than doubles during a backup");
}

async function measureIncrements(server: RunningServer, folder: string, shape: SiteShape): Promise<void> {
  const data = join(folder, "data");
  const place = join(folder, "increments");
  const call = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { authorization: `token ${tokens.admin}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  await succeed(data, "backup", `file://${place}`);
  await succeed(data, "backup", `file://${place}`);
  const whole = placeBytes(place);
  const report = async (change: string, limit?: number): Promise<void> => {
    const before = placeBytes(place);
    const began = performance.now();
    await succeed(data, "backup", `file://${place}`);
    const added = placeBytes(place) - before;
    const part = (100 * added) / whole;
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(
      `incremental: after ${change} ${mebibytes(added)} of ${mebibytes(whole)} in ${seconds} s: ${part.toFixed(2)} %${limit === undefined ? "" : ` (limit ${limit} %)`}`,
    );
    require(limit === undefined || part <= limit, `an incremental backup after ${change} moves more than ${limit} %`);
  };
  await report("no change");
  const issues = Math.ceil((shape.issuesOfLargest + (shape.repositoriesWithIssues - 1) * shape.issuesOfOthers) / 100);
  for (let at = 0; at < issues; at += 1)
    await call("POST", "/repos/chief/written/issues", { title: `New ${at}`, body: `The parser fails with w${at}. `.repeat(4) });
  for (let at = 0; at < Math.ceil(shape.repositories / 100); at += 1)
    await call("POST", `/repos/user0/repo-${2 * at + 1}/contents/new`, { message: "new", content: fileContent() });
  await report(`${issues} new issues and ${Math.ceil(shape.repositories / 100)} commits (1 %)`, 3);
  const random = seededRandom(Number(values.seed));
  const repository = "/repos/user0/repo-0/issues";
  for (let at = 0; at < issues; at += 1) await call("PATCH", `${repository}/${1 + random(shape.issuesOfLargest)}`, { body: `Edited ${at}` });
  await report(`${issues} edits of random issues (1 %)`);
}

/** Restores a backup, and checks it. @returns the texts of all comments */
async function restoreAndCheck(folder: string, url: string, name: string | undefined): Promise<ReadonlySet<string>> {
  const data = join(folder, "restored");
  rmSync(data, { recursive: true, force: true });
  await succeed(data, "restore", ...(name === undefined ? [] : ["--backup", name]), url);
  await succeed(data, "doctor");
  using db = new DatabaseSync(join(data, "hearth.db"), { readOnly: true });
  return new Set(
    db
      .prepare("select content from comments")
      .all()
      .map((row) => String(row.content)),
  );
}

async function backUpAtRandomMoments(folder: string, count: number, random: (below: number) => number): Promise<void> {
  const data = join(folder, "data");
  const url = `file://${join(folder, "moments")}`;
  const server = await startServer({ folder, settings: { HEARTH_DATA: data } });
  let consistent = 0;
  let writes = 0;
  try {
    for (let at = 0; at < count; at += 1) {
      const writers = startWriters(server, 4, `m${at}`);
      await sleep(random(400));
      const beganMs = Date.now();
      const printed = await succeed(data, "backup", url);
      const { written } = await writers.stop();
      writes += written.length;
      const name = /^backup (\S+):/m.exec(printed)?.[1];
      const restored = await restoreAndCheck(folder, url, name);
      const lost = written.filter(({ body, ackMs }) => ackMs < beganMs && !restored.has(body));
      if (lost.length === 0) consistent += 1;
      else failures.push(`backup ${at} lacks ${lost.length} acknowledged writes`);
      // A long run can be interrupted.
      if ((at + 1) % 10 === 0) console.log(`  ${consistent} of ${at + 1} so far`);
    }
  } finally {
    await server.stop();
  }
  console.log(`moments: ${consistent} of ${count} backups at random moments are consistent (${writes} comments written meanwhile)`);
}

async function kill(data: string, words: readonly string[], afterMs: number): Promise<boolean> {
  const { child, ended } = start(data, ...words);
  await Promise.race([sleep(afterMs), ended]);
  child.kill("SIGKILL");
  return (await ended).code === null;
}

async function killAtRandomMoments(folder: string, kills: number, random: (below: number) => number): Promise<void> {
  const data = join(folder, "data");
  const url = `file://${join(folder, "kills")}`;
  const target = join(folder, "killed");
  const [backup, restore] = [
    ["backup", url],
    ["restore", url],
  ] as const;
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  const backupMs = await timed(() => succeed(data, "backup", `file://${join(folder, "timed")}`));
  const restoreMs = await timed(() => succeed(target, "restore", `file://${join(folder, "timed")}`));
  let [killedBackups, killedRestores] = [0, 0];
  for (let at = 0; at < kills; at += 1) {
    rmSync(join(folder, "kills"), { recursive: true, force: true });
    if (await kill(data, backup, random(Math.ceil(backupMs)))) killedBackups += 1;
    await succeed(data, ...backup);
    rmSync(target, { recursive: true, force: true });
    if (await kill(target, restore, random(Math.ceil(restoreMs)))) killedRestores += 1;
    // A restore that had ended before the kill needs no repetition.
    const { code, printed } = await start(target, ...restore).ended;
    if (code !== 0 && !printed.includes("is not empty")) failures.push(`restore ${at} cannot be repeated: ${printed}`);
    await succeed(target, "doctor");
  }
  console.log(`kills: ${killedBackups} backups and ${killedRestores} restores were killed, repeated and checked`);
}

async function main(): Promise<void> {
  const [repositories, issues, rounds, count, kills] = [values.repositories, values.issues, values.rounds, values.count, values.kills].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const withIssues = Math.max(1, Math.ceil(repositories / 10));
  const largest = Math.ceil(issues / 2);
  const shape: SiteShape = {
    users: 100,
    organizations: 4,
    repositories,
    ownRepositories: repositories,
    repositoriesWithIssues: withIssues,
    issuesOfLargest: largest,
    issuesOfOthers: Math.max(1, Math.round((issues - largest) / Math.max(1, withIssues - 1))),
  };
  const random = seededRandom(Number(values.seed));
  const root = mkdtempSync(join(tmpdir(), "hearth-bench-backup-"));
  try {
    if (rounds > 0) {
      const folder = join(root, "large");
      await makeSite(folder, shape);
      const server = await startServer({ folder });
      try {
        await measureWriters(server, folder, rounds);
        await measureIncrements(server, folder, shape);
      } finally {
        await server.stop();
      }
      rmSync(folder, { recursive: true });
    }
    const folder = join(root, "small");
    await makeSite(folder, smallSite);
    if (count > 0) await backUpAtRandomMoments(folder, count, random);
    if (kills > 0) await killAtRandomMoments(folder, kills, random);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  for (const failure of failures) console.error(`failed: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

if (values.help === true) console.log(usage);
else await main();
