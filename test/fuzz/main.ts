import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { ensureBuilt } from "../../tools/build.mjs";
import { headerBytes, inputName, type WorkerOrder } from "./campaign.ts";
import { openConnectionTargets } from "./connections.ts";
import { openServerTargets } from "./server-targets.ts";
import { targets } from "./targets.ts";

const usage = `npm run fuzz -- [--minutes 10] [--seed 1] [--only NAME] [--jobs 2]

Calls every parser of foreign bytes with changed inputs, and divides the time equally between them. A parser has to return or to reject the input with
an error of its domain, within ten seconds. Any other input is written to test/fuzz/inputs, where npm test tries it again. The inputs follow from the seed.`;

const stuckMs = 10_000;
const inputBytes = 256 * 1024;
/** A target with many defects shows the first ones. */
const maxDefects = 10;

interface Result {
  readonly name: string;
  readonly executions: number;
  readonly defects: readonly string[];
}

function save(name: string, input: Buffer): string {
  const folder = join(import.meta.dirname, "inputs", name.replaceAll(" ", "-"));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, inputName(input));
  writeFileSync(path, input);
  return path;
}

/** Runs a target for some time, on a thread that can be ended when an input keeps it busy. */
function fuzz(name: string, seed: number, durationMs: number): Promise<Result> {
  const memory = new SharedArrayBuffer(headerBytes + inputBytes);
  const counters = new Int32Array(memory, 0, 2);
  const defects = new Map<string, string>();
  const order: WorkerOrder = { name, seed, memory };
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: order });
  return new Promise((resolve) => {
    let [before, sinceMs] = [0, performance.now()];
    /** When the first input was tried: loading takes seconds. */
    let begunMs = 0;
    let serverPid: number | undefined;
    const finish = (): void => {
      clearInterval(timer);
      void worker.terminate();
      try {
        if (serverPid !== undefined) process.kill(serverPid, "SIGKILL");
      } catch {
        // It has ended.
      }
      resolve({ name, executions: counters[0] ?? 0, defects: [...defects].map(([error, path]) => `${error}\n    ${path}`) });
    };
    const report = (input: Buffer, error: string): void => {
      const place = error.split("\n", 2).join(" ");
      if (!defects.has(place)) defects.set(place, save(name, input));
      if (defects.size >= maxDefects) finish();
    };
    const current = (): Buffer => Buffer.from(Buffer.from(memory, headerBytes, counters[1]));
    const timer = setInterval(() => {
      if (begunMs === 0 && (counters[0] ?? 0) > 0) begunMs = performance.now();
      if (begunMs > 0 && performance.now() - begunMs > durationMs) return finish();
      if (counters[0] !== before) [before, sinceMs] = [counters[0] ?? 0, performance.now()];
      else if (before > 0 && performance.now() - sinceMs > stuckMs) {
        report(current(), "the input took more than ten seconds");
        finish();
      }
    }, 500);
    worker.on("message", (message: { readonly pid: number } | { readonly input: Uint8Array; readonly error: string }) => {
      if ("pid" in message) serverPid = message.pid;
      else report(Buffer.from(message.input), message.error);
    });
    // An error outside of the call, such as an unhandled rejection.
    worker.on("error", (error) => {
      report(current(), String((error as Error)?.stack ?? error));
      finish();
    });
  });
}

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    jobs: { type: "string", default: "2" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) console.log(usage);
else {
  using connections = await openConnectionTargets();
  await using server = openServerTargets();
  await ensureBuilt();
  const names = [...targets, ...connections.targets, ...server.targets]
    .map(({ name }) => name)
    .filter((name) => values.only === undefined || name.includes(values.only));
  const jobs = Number(values.jobs);
  const eachMs = (Number(values.minutes) * 60_000 * jobs) / names.length;
  const waiting = [...names];
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const { executions, defects } = await fuzz(name, Number(values.seed), eachMs);
      failed += defects.length;
      console.log(`${name}: ${executions} executions, ${Math.round(executions / (eachMs / 1_000))} per second, ${defects.length} defects`);
      for (const defect of defects) console.log(`  ${defect}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  console.log(`${failed} defects with seed ${values.seed}`);
  process.exitCode = failed === 0 ? 0 : 1;
}
