import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServer } from "../tools/server.ts";
import { openGitClient } from "./git-client.ts";
import { percentile } from "./measure.ts";
import { settle } from "./process-tree.ts";
import { gitUrl, openTarget } from "./target.ts";

const usage = `npm run bench -- webhook-pushes [--hooks 100] [--pushes 30]

Alternates between pushes to a repository with webhooks and to one without, each after all work of the previous push is done. Prints the time until git
has received its response, in milliseconds.`;

/** A chain of commits for git-fast-import(1). */
const history = (count: number): string =>
  Array.from({ length: count }, (_, at) => {
    const message = `Commit ${at}\n`;
    return `commit refs/heads/main\ncommitter Bench <bench@example.org> ${1_704_164_645 + at} +0000\ndata ${message.length}\n${message}M 100644 inline file-${at % 50}\ndata ${message.length}\n${message}\n`;
  }).join("");

async function run(folder: string, hooks: number, pushes: number): Promise<void> {
  const git = openGitClient(folder);
  const source = join(folder, "source.git");
  await git.run(["init", "--quiet", "--bare", "--initial-branch=main", source]);
  await git.run(["-C", source, "fast-import", "--quiet"], history(pushes + 1));
  const commits = (await git.run(["-C", source, "rev-list", "--reverse", "main"])).split("\n");

  let deliveries = 0;
  const receiver = createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      deliveries += 1;
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

  const server = await startServer({ settings: { HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback" } });
  const times: Record<string, number[]> = { with: [], without: [] };
  try {
    const target = await openTarget({ name: "hearth", url: server.url, token: server.token, hasCounters: false, pid: server.pid });
    for (const name of Object.keys(times)) {
      await target.http.json("POST", "/api/v1/user/repos", { name });
      await git.run(["-C", source, "push", "--quiet", gitUrl(target, name), `${commits[0]}:refs/heads/main`]);
    }
    for (let hook = 0; hook < hooks; hook += 1)
      await target.http.json("POST", `/api/v1/repos/${target.owner}/with/hooks`, { type: "gitea", active: true, config: { url, content_type: "json" } });
    for (let push = 1; push <= pushes; push += 1) {
      for (const [name, durations] of Object.entries(times)) {
        await settle(server.pid);
        const startedMs = performance.now();
        await git.run(["-C", source, "push", "--quiet", gitUrl(target, name), `${commits[push]}:refs/heads/main`]);
        durations.push(performance.now() - startedMs);
      }
    }
    await settle(server.pid);
    target.http.close();
  } finally {
    await server.stop();
    receiver.closeAllConnections();
    receiver.close();
  }
  for (const [name, durations] of Object.entries(times)) {
    const sorted = durations.sort((a, b) => a - b);
    const [minimum, median, slow] = [0, 0.5, 0.9].map((share) => percentile(sorted, share).toFixed(0));
    console.log(`${name === "with" ? `${hooks} webhooks` : "no webhook"}: minimum ${minimum}, median ${median}, 90 % ${slow} ms`);
  }
  console.log(`${deliveries} of ${hooks * pushes} deliveries arrived`);
}

if (import.meta.main) {
  const number = { type: "string" } as const;
  const { values } = parseArgs({ options: { hooks: number, pushes: number, help: { type: "boolean" } } });
  if (values.help) console.log(usage);
  else {
    const folder = mkdtempSync(join(tmpdir(), "hearth-webhook-pushes-"));
    await run(folder, Number(values.hooks ?? 100), Number(values.pushes ?? 30)).finally(() => rmSync(folder, { recursive: true, force: true }));
  }
}
