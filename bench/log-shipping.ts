import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ensureGateway, startGateway } from "../test/kit/s3-gateway.ts";
import { repositoryRoot } from "../tools/repository.ts";
import { type RunningServer, startServer } from "../tools/server.ts";
import { treeCpuMs } from "./process-tree.ts";

const usage = `npm run bench -- log-shipping [--kills 20] [--seconds 3] [--writers 8]

Starts the built program with a log in an S3 service of its own, on this machine, while writers create comments and files.
  cost   latency and CPU ms of a write, without and with the log in a bucket, round by round
  loss   the server is killed and its data deleted; the newest state of the bucket is restored. Printed is the age at the kill of the
         oldest acknowledged write that is missing`;

interface Written {
  readonly title: string;
  readonly ackMs: number;
}

interface Load {
  readonly written: readonly Written[];
  readonly latencies: readonly number[];
}

const repository = "/api/v1/repos/root1/r";

async function send(server: RunningServer, path: string, body: object): Promise<boolean> {
  const answer = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { authorization: `token ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status === 201;
}

/** Writers send one write after another until the time is over or the server ends. Every fourth write of one of them is a commit. */
async function write(server: RunningServer, round: string, writers: number, seconds: number): Promise<Load> {
  const written: Written[] = [];
  const latencies: number[] = [];
  const untilMs = Date.now() + seconds * 1_000;
  const run = async (writer: number): Promise<void> => {
    for (let at = 0; Date.now() < untilMs; at += 1) {
      const title = `${round}-${writer}-${at}`;
      const begun = performance.now();
      const isCommit = writer === 0 && at % 4 === 0;
      const isDone = isCommit
        ? await send(server, `${repository}/contents/${title}`, { message: title, content: Buffer.from(title).toString("base64") })
        : await send(server, `${repository}/issues/1/comments`, { body: title });
      if (!isDone) return;
      latencies.push(performance.now() - begun);
      if (!isCommit) written.push({ title, ackMs: Date.now() });
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => run(writer)));
  return { written, latencies };
}

/** @param token of the server that was killed, which the restored one accepts */
async function restoredTitles({ url }: RunningServer, token: string): Promise<Set<string>> {
  const answer = await fetch(`${url}${repository}/issues/1/comments`, { headers: { authorization: `token ${token}` } });
  return new Set(((await answer.json()) as { readonly body: string }[]).map(({ body }) => body));
}

const quantile = (values: readonly number[], part: number): number => values.toSorted((one, other) => one - other)[Math.ceil(part * values.length) - 1] ?? 0;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: "string", default: "20" },
      seconds: { type: "string", default: "3" },
      writers: { type: "string", default: "8" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return console.log(usage);
  const [kills, seconds, writers] = [Number(values.kills), Number(values.seconds), Number(values.writers)];
  await ensureGateway();
  const root = mkdtempSync(join(tmpdir(), "hearth-bench-log-"));
  const gateway = await startGateway();
  const { HEARTH_STORAGE_URL: url = "", HEARTH_STORAGE_ACCESS_KEY: access = "", HEARTH_STORAGE_SECRET_KEY: secret = "" } = gateway.environment;
  const placeOf = (name: string): string => url.replace("/hearth?", `/${name}?`);
  const shippingTo = (name: string) => ({
    HEARTH_LOG_SHIPPING_URL: placeOf(name),
    HEARTH_LOG_SHIPPING_ACCESS_KEY: access,
    HEARTH_LOG_SHIPPING_SECRET_KEY: secret,
  });
  const prepare = async (server: RunningServer, place?: string): Promise<void> => {
    await send(server, "/api/v1/user/repos", { name: "r", auto_init: true });
    await send(server, `${repository}/issues`, { title: "comments" });
    while (place !== undefined && !existsSync(join(gateway.objects, place, "bases"))) await sleep(20);
  };
  try {
    const folderOf = (name: string): string => {
      const folder = join(root, name);
      mkdirSync(folder);
      return folder;
    };
    const plain = await startServer({ folder: folderOf("plain") });
    const shipping = await startServer({ folder: folderOf("shipping"), settings: shippingTo("cost") });
    await prepare(plain);
    await prepare(shipping, "cost");
    const contenders = [
      { name: "without", server: plain, latencies: [] as number[], cpuMs: 0 },
      { name: "with", server: shipping, latencies: [] as number[], cpuMs: 0 },
    ];
    for (let round = 0; round < 6; round += 1)
      for (const one of contenders) {
        const before = treeCpuMs(one.server.pid);
        const { latencies } = await write(one.server, `${round}`, writers, seconds);
        await sleep(500);
        // The first round warms up.
        if (round === 0) continue;
        one.cpuMs += treeCpuMs(one.server.pid) - before;
        one.latencies.push(...latencies);
      }
    for (const { name, latencies, cpuMs } of contenders)
      console.log(
        `${name.padEnd(8)} ${String(latencies.length).padStart(6)} writes, p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms, CPU ${(cpuMs / latencies.length).toFixed(2)} ms per write`,
      );
    await plain.stop();
    await shipping.stop();

    const losses: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const place = `kill-${kill}`;
      const folder = folderOf(place);
      const server = await startServer({ folder, settings: shippingTo(place) });
      await prepare(server, place);
      const load = write(server, "k", writers, 60);
      await sleep(seconds * 1_000 * (0.5 + Math.random()));
      const killedMs = Date.now();
      process.kill(server.pid, "SIGKILL");
      const { written } = await load;
      await server.stop().catch(() => undefined);
      rmSync(join(folder, "data"), { recursive: true });
      const environment = { ...process.env, ...shippingTo(place), HEARTH_DATA: join(folder, "data") };
      const run = spawnSync(process.execPath, [join(repositoryRoot, "dist/hearth.js"), "restore", "--at", "newest", placeOf(place)], {
        env: environment,
        encoding: "utf8",
      });
      if (run.status !== 0) throw new Error(run.stderr);
      const restored = await startServer({ folder });
      const titles = await restoredTitles(restored, server.token);
      const missing = written.filter(({ title }) => !titles.has(title)).map(({ ackMs }) => killedMs - ackMs);
      losses.push(Math.max(0, ...missing));
      await restored.stop();
      rmSync(folder, { recursive: true });
    }
    console.log(`loss over ${kills} kills: p50 ${quantile(losses, 0.5)} ms, largest ${quantile(losses, 1)} ms`);
  } finally {
    await gateway[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  }
}

await main();
