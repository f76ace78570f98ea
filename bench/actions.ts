import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Result } from "../src/wire/actions-protocol/runner.ts";
import { seededRandom } from "../test/kit/random.ts";
import { RunnerCallError, registerRunner, type TestRunner } from "../test/kit/runner.ts";
import { freePort, type RunningServer, startServer } from "../tools/server.ts";
import { openClient } from "./http-client.ts";
import { treeCpuMs } from "./process-tree.ts";

const usage = `npm run bench -- actions [--pushes 50] [--idle 200] [--idle-seconds 60] [--runners 60] [--jobs 100] [--kills 0] [--seed 1]

Measures Actions of the built program with runners that speak the protocol and execute nothing:
the time from the beginning of a push until a waiting runner has its job; the CPU time of the server while --idle runners wait; the longest time that a
runner was idle while a job of a matrix of --jobs waited for one of --runners.
With --kills it kills the server and runners at random from --seed, and checks that no job is lost, started twice after its first report, or without an
acknowledged line of its log, and that no run is unfinished 90 s after the end. Exits with 1 if a check fails.
HEARTH_DATABASE_URL selects a PostgreSQL database; the default is SQLite.`;

interface Load {
  readonly pushes: number;
  readonly idle: number;
  readonly idleSeconds: number;
  readonly runners: number;
  readonly jobs: number;
  readonly kills: number;
  readonly seed: number;
}

interface Site {
  readonly server: RunningServer;
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
}

const settings = {
  HEARTH_ACTIONS_IN_NEW_REPOSITORIES: "true",
  HEARTH_LOG_LEVEL: "error",
  ...(process.env.HEARTH_DATABASE_URL && { HEARTH_DATABASE_URL: process.env.HEARTH_DATABASE_URL }),
};

const siteOf = (server: RunningServer): Site => {
  const client = openClient(server.url, server.token);
  return {
    server,
    async call(method, path, body) {
      const { status, body: answer } = await client.send(method as "GET", `/api/v1${path}`, body);
      if (status >= 400) throw new Error(`${method} ${path}: ${status} ${answer}`);
      return answer.length === 0 ? {} : (JSON.parse(answer.toString("utf8")) as Record<string, unknown>);
    },
  };
};

const encode = (text: string): string => Buffer.from(text).toString("base64");

async function repository({ call }: Site, name: string, workflow: string): Promise<string> {
  await call("POST", "/user/repos", { name, auto_init: true, default_branch: "main" });
  const path = `/repos/root1/${name}`;
  await call("POST", `${path}/contents/.gitea/workflows/w.yml`, { content: encode(workflow), message: "workflow" });
  return path;
}

async function runnerOf({ server, call }: Site, path: string, name: string): Promise<TestRunner> {
  const { token } = await call("POST", `${path}/actions/runners/registration-token`);
  return registerRunner(server.url, String(token), { name });
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** Pushes one commit after another while a runner waits. */
async function measureLatency(site: Site, pushes: number): Promise<void> {
  const path = await repository(site, "latency", "on: push\njobs:\n  a: { runs-on: linux, steps: [{ run: 'true' }] }\n");
  const runner = await runnerOf(site, path, "waiting");
  const first = await runner.fetch(30_000);
  if (first !== undefined) await runner.report(first.id, Result.SUCCESS);
  const times: number[] = [];
  for (let push = 0; push < pushes; push += 1) {
    const waiting = runner.fetch(30_000).then((task) => ({ task, at: performance.now() }));
    await delay(20);
    const start = performance.now();
    await site.call("POST", `${path}/contents/file-${push}.txt`, { content: encode(String(push)), message: "push" });
    const { task, at } = await waiting;
    if (task === undefined) throw new Error("the runner got no task");
    times.push(at - start);
    await runner.report(task.id, Result.SUCCESS);
  }
  console.log(`beginning of a push to the task of a waiting runner: p50 ${ms(percentile(times, 0.5))}, p99 ${ms(percentile(times, 0.99))} (${pushes} pushes)`);
}

async function measureIdle(site: Site, idle: number, seconds: number): Promise<void> {
  const path = await repository(site, "idle", "on: workflow_dispatch\njobs:\n  a: { runs-on: linux, steps: [{ run: 'true' }] }\n");
  const runners: TestRunner[] = [];
  for (let at = 0; at < idle; at += 1) runners.push(await runnerOf(site, path, `idle-${at}`));
  const end = performance.now() + seconds * 1_000;
  const waits = runners.map(async (runner) => {
    while (performance.now() < end) await runner.fetch(Math.max(1_000, Math.min(30_000, end - performance.now())));
  });
  const before = treeCpuMs(site.server.pid);
  await delay(seconds * 1_000 - 500);
  const used = treeCpuMs(site.server.pid) - before;
  await Promise.all(waits);
  console.log(`${idle} idle runners: ${((used / (seconds * 1_000 - 500)) * 100).toFixed(2)} % of one core over ${seconds} s`);
}

/** Starts a matrix, which many runners work on. Each job takes up to 200 ms. */
async function measureMatrix(site: Site, runners: number, jobs: number): Promise<number> {
  const values = Array.from({ length: jobs }, (_, at) => at).join(", ");
  const text = `on: workflow_dispatch\njobs:\n  a:\n    runs-on: linux\n    strategy: { matrix: { v: [${values}] } }\n    steps: [{ run: 'true' }]\n`;
  const path = await repository(site, "matrix", text);
  const seen = new Map<string, number>();
  let longestIdleMs = 0;
  const workers = await Promise.all(Array.from({ length: runners }, (_, at) => runnerOf(site, path, `worker-${at}`)));
  const started = performance.now();
  const work = workers.map(async (runner, at) => {
    let idleSince = performance.now();
    for (;;) {
      const task = await runner.fetch(seen.size < jobs ? 5_000 : 1_000);
      if (task === undefined) return;
      longestIdleMs = Math.max(longestIdleMs, performance.now() - Math.max(idleSince, started + startMs));
      const key = String(task.id);
      seen.set(key, (seen.get(key) ?? 0) + 1);
      await delay((at * 37) % 200);
      await runner.report(task.id, Result.SUCCESS);
      idleSince = performance.now();
    }
  });
  const requested = performance.now();
  await site.call("POST", `${path}/actions/workflows/w.yml/dispatches`, { ref: "main" });
  const startMs = performance.now() - requested;
  await Promise.all(work);
  const { jobs: listed } = (await site.call("GET", `${path}/actions/jobs?limit=1`)) as { jobs: readonly object[] };
  const double = [...seen.values()].filter((times) => times > 1).length;
  console.log(
    `matrix of ${jobs} for ${runners} runners: ${seen.size} jobs handed out, ${double} twice, longest wait of an idle runner ${ms(longestIdleMs)}, all in ${ms(performance.now() - started)}`,
  );
  return seen.size === jobs && double === 0 && listed.length > 0 ? 0 : 1;
}

/** Calls until there is an answer: the server may be down. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RunnerCallError && error.status < 500) throw error;
      await delay(50);
    }
  }
}

interface Attempt {
  readonly taskId: bigint;
  /** Lines that the server has acknowledged. */
  readonly lines: string[];
  isReported: boolean;
  isAbandoned: boolean;
}

/** Kills the server and runners while runs are started and executed. @returns the number of failed checks */
async function torture({ kills, seed, runners }: Load): Promise<number> {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), "hearth-actions-"));
  const port = await freePort();
  const token = "b".repeat(40);
  const start = () => startServer({ folder, port, settings: { ...settings, HEARTH_ADMIN_TOKEN: token } });
  let site = siteOf(await start());
  const text =
    "on: workflow_dispatch\njobs:\n  a:\n    runs-on: linux\n    strategy: { fail-fast: false, matrix: { v: [1, 2, 3] } }\n    steps: [{ run: 'true' }]\n  b: { needs: a, if: always(), runs-on: linux, steps: [{ run: 'true' }] }\n";
  const path = await repository(site, "torture", text);
  const attempts = new Map<string, Attempt[]>();
  let isEnding = false;
  let killedRunners = 0;
  const pending = { kill: 0 };

  const work = async (name: string): Promise<void> => {
    const runner = await persist(() => runnerOf(site, path, name));
    while (!isEnding) {
      const task = await persist(() => runner.fetch(2_000)).catch(() => undefined);
      if (task === undefined) continue;
      const attempt: Attempt = { taskId: task.id, lines: [], isReported: false, isAbandoned: false };
      const job = `${task.context?.run_id} ${task.context?.job} ${JSON.stringify(
        task.workflowPayload &&
          Buffer.from(task.workflowPayload)
            .toString()
            .match(/v:\s*- (\d)/)?.[1],
      )}`;
      attempts.set(job, [...(attempts.get(job) ?? []), attempt]);
      // A killed runner never reports again. It may die before its first report, or in the middle.
      const dies = pending.kill > 0;
      if (dies) pending.kill -= 1;
      if (dies && random(2) === 0) {
        attempt.isAbandoned = true;
        killedRunners += 1;
        return work(`${name}x`);
      }
      await persist(() => runner.report(task.id));
      attempt.isReported = true;
      for (let line = 0; line < 5; line += 1) {
        const content = `line ${line} of ${task.id}`;
        await persist(() => runner.log(task.id, line, [content], line === 4)).catch(() => 0);
        attempt.lines.push(content);
        if (dies && line === 2) {
          attempt.isAbandoned = true;
          killedRunners += 1;
          return work(`${name}x`);
        }
        await delay(random(30));
      }
      await persist(() => runner.report(task.id, Result.SUCCESS)).catch(() => undefined);
    }
  };
  const workers = Array.from({ length: runners }, (_, at) => work(`runner-${at}`));

  let started = 0;
  let killedServers = 0;
  while (killedServers + killedRunners < kills) {
    await persist(() => site.call("POST", `${path}/actions/workflows/w.yml/dispatches`, { ref: "main" })).then(
      () => {
        started += 1;
      },
      () => undefined,
    );
    await delay(random(400));
    if (random(3) === 0) {
      process.kill(site.server.pid, "SIGKILL");
      killedServers += 1;
      await delay(random(200));
      site = siteOf(await start());
    } else pending.kill += 1;
  }
  const limit = performance.now() + 90_000;
  const unfinished = async (): Promise<number> => {
    let open = 0;
    for (const status of ["waiting", "queued", "in_progress"])
      open += Number((await persist(() => site.call("GET", `${path}/actions/runs?status=${status}&limit=1`))).total_count);
    return open;
  };
  let open = await unfinished();
  while (open > 0 && performance.now() < limit) {
    await delay(1_000);
    open = await unfinished();
  }
  isEnding = true;
  await Promise.race([Promise.all(workers), delay(10_000)]);
  const { total_count: runs } = await site.call("GET", `${path}/actions/runs?limit=1`);
  const repeated = [...attempts.values()].filter((all) => all.filter(({ isReported }) => isReported).length > 1);
  let missingLines = 0;
  let checkedLogs = 0;
  for (let page = 1; ; page += 1) {
    const { jobs } = (await site.call("GET", `${path}/actions/jobs?limit=50&page=${page}`)) as { jobs: readonly { id: number; conclusion?: string }[] };
    if (jobs.length === 0) break;
    for (const { id } of jobs) {
      const response = await fetch(`${site.server.url}/api/v1${path}/actions/jobs/${id}/logs`, { headers: { authorization: `token ${token}` } });
      if (response.status !== 200) continue;
      const log = await response.text();
      const written = [...attempts.values()].flat().find(({ taskId }) => log.includes(` of ${taskId}\n`));
      if (written === undefined) continue;
      checkedLogs += 1;
      missingLines += written.lines.filter((line) => !log.includes(`${line}\n`)).length;
    }
  }
  console.log(
    `${killedServers} kills of the server, ${killedRunners} of runners: ${runs} runs (${started} acknowledged), ${open} unfinished after 90 s, ${attempts.size} jobs handed out, ${repeated.length} executed twice, ${checkedLogs} logs with ${missingLines} missing lines`,
  );
  await site.server.stop();
  rmSync(folder, { recursive: true, force: true });
  return open + repeated.length + missingLines + (Number(runs) < started ? 1 : 0);
}

async function main(load: Load): Promise<number> {
  let failures = 0;
  if (load.kills > 0) return torture(load);
  const server = await startServer({ settings });
  try {
    const site = siteOf(server);
    await measureLatency(site, load.pushes);
    await measureIdle(site, load.idle, load.idleSeconds);
    failures += await measureMatrix(site, load.runners, load.jobs);
  } finally {
    await server.stop();
  }
  return failures;
}

const { values } = parseArgs({
  options: {
    pushes: { type: "string", default: "50" },
    idle: { type: "string", default: "200" },
    "idle-seconds": { type: "string", default: "60" },
    runners: { type: "string", default: "60" },
    jobs: { type: "string", default: "100" },
    kills: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) console.log(usage);
else {
  const { pushes, idle, "idle-seconds": idleSeconds, runners, jobs, kills, seed } = values;
  const load = { pushes, idle, idleSeconds, runners, jobs, kills, seed };
  process.exitCode = (await main(Object.fromEntries(Object.entries(load).map(([name, text]) => [name, Number(text)])) as unknown as Load)) === 0 ? 0 : 1;
}
