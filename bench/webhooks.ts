import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createForge } from "../src/app/forge.ts";
import { loadConfig } from "../src/config/config.ts";
import { inject } from "../test/kit/inject.ts";

const usage = `npm run bench -- webhooks [--hooks 100] [--dead 1] [--events 100] [--rate 2]

Creates --events issues, --rate per second, in a repository with --hooks webhooks, of which --dead alternately refuse connections and never respond.
Prints the time from the response of a request until each of its other deliveries arrived, in milliseconds.
HEARTH_DATABASE_URL selects a PostgreSQL database; the default is SQLite. All data is deleted at the end.`;

const token = "b".repeat(40);

/** Records the arrival of each event at each path. Requests below /silent get no response. */
async function startReceiver(): Promise<{ readonly server: Server; readonly url: string; readonly arrivals: Map<string, number> }> {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url?.startsWith("/silent")) return;
      const { title } = (JSON.parse(Buffer.concat(chunks).toString()) as { issue: { title: string } }).issue;
      arrivals.set(`${request.url} ${title}`, performance.now());
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrivals };
}

interface Load {
  readonly hooks: number;
  readonly dead: number;
  readonly events: number;
  readonly rate: number;
}

async function run(directory: string, { hooks, dead, events, rate }: Load): Promise<void> {
  const { PATH = "", HEARTH_DATABASE_URL = "" } = process.env;
  const administrator = { HEARTH_ADMIN_USERNAME: "chief", HEARTH_ADMIN_EMAIL: "chief@example.com", HEARTH_ADMIN_PASSWORD: token, HEARTH_ADMIN_TOKEN: token };
  const settings = { HEARTH_DATA: directory, HEARTH_DATABASE_URL, HEARTH_PORT: "0", HEARTH_SSH_ENABLED: "false", HEARTH_LOG_LEVEL: "error" };
  const config = loadConfig({ PATH, ...settings, ...administrator, HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback" });
  await using forge = await createForge(config);
  const { server, url, arrivals } = await startReceiver();
  const call = async (path: string, payload: object): Promise<void> => {
    const answer = await inject(forge.http, { method: "POST", url: `/api/v1${path}`, headers: { authorization: `token ${token}` }, payload });
    if (answer.statusCode >= 400) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
  };
  await call("/user/repos", { name: "r" });
  const targets = Array.from({ length: hooks }, (_, at) => (at >= dead ? `${url}/${at}` : at % 2 === 0 ? "http://127.0.0.1:1/" : `${url}/silent/${at}`));
  for (const target of targets)
    await call("/repos/chief/r/hooks", { type: "gitea", config: { url: target, content_type: "json" }, events: ["issues"], active: true });

  const respondedMs = new Map<string, number>();
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  for (let at = 0; at < events; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedMs + (at * 1_000) / rate - performance.now())));
    await call("/repos/chief/r/issues", { title: `event ${at}` });
    respondedMs.set(`event ${at}`, performance.now());
  }
  const expected = (hooks - dead) * events;
  for (let waited = 0; arrivals.size < expected && waited < 600; waited += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  const { user, system } = process.cpuUsage(cpu);
  server.closeAllConnections();
  server.close();

  const delays = [...arrivals].map(([key, at]) => at - (respondedMs.get(key.slice(key.indexOf(" ") + 1)) ?? at)).sort((a, b) => a - b);
  const part = (share: number): string => (delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0).toFixed(0);
  console.log(`${arrivals.size} of ${expected} delivered; delay: median ${part(0.5)}, 99 % ${part(0.99)}, maximum ${part(1)} ms`);
  console.log(`CPU time of server and receivers: ${((user + system) / 1_000 / arrivals.size).toFixed(2)} ms per delivery`);
}

if (import.meta.main) {
  const number = { type: "string" } as const;
  const { values } = parseArgs({ options: { hooks: number, dead: number, events: number, rate: number, help: { type: "boolean" } } });
  if (values.help) console.log(usage);
  else {
    const directory = mkdtempSync(join(tmpdir(), "hearth-webhooks-"));
    const load = { hooks: Number(values.hooks ?? 100), dead: Number(values.dead ?? 1), events: Number(values.events ?? 100), rate: Number(values.rate ?? 2) };
    await run(directory, load).finally(() => rmSync(directory, { recursive: true, force: true }));
  }
}
