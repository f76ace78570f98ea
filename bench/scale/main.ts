import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type RunningServer, startServer } from "../../tools/server.ts";
import { openClient } from "../http-client.ts";
import { type Contender, measure } from "../measure.ts";
import { memoryOf } from "../process-tree.ts";
import { formatTable, type Row } from "../table.ts";
import type { Target } from "../target.ts";
import { listEffort, listItems, openList } from "./list-work.ts";
import { largeSite, type SiteShape, seedSite, smallSite } from "./site-seed.ts";

const usage = `npm run bench -- --scale [--only id,...] [--folder DIRECTORY] [--short] [--json file]

Generates a site with 20,000 repositories and a million issues and one with 100 repositories, or finds them in the folder, and prints what each
request costs on both. The seeds take minutes and are kept. "ceiling" is the limit for CPU ms on both sites.

  --only    these rows alone (${listItems.map(({ id }) => id).join(", ")})
  --folder  where the seeds are kept (default: hearth-bench-scale in the folder for temporary files)
  --short   the small site alone, each row a few times, to see that it works`;

interface ScaleOptions {
  readonly only: ReadonlySet<string> | undefined;
  readonly folder: string;
  readonly isShort: boolean;
  readonly jsonPath: string | undefined;
}

interface ScaleSite {
  readonly name: string;
  readonly server: RunningServer;
  target(token: string): Target;
  close(): Promise<void>;
}

async function openSite(folder: string, name: string, shape: SiteShape): Promise<ScaleSite> {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  process.stderr.write(`${name}: ${shape.repositories} repositories\n`);
  await seedSite(join(home, "data"), shape, false);
  const server = await startServer({ folder: home, settings: { HEARTH_METRICS: "true" } });
  const targets = new Map<string, Target>();
  return {
    name,
    server,
    target(token) {
      const http = targets.get(token)?.http ?? openClient(server.url, token);
      const target: Target = { name, url: server.url, token, http, owner: "user0", hasCounters: true, pid: server.pid };
      targets.set(token, target);
      return target;
    },
    async close() {
      for (const { http } of targets.values()) http.close();
      await server.stop();
    },
  };
}

export async function runScaleBench(options: ScaleOptions): Promise<boolean> {
  const sites: ScaleSite[] = [await openSite(options.folder, "small", smallSite)];
  const rows: Row[] = [];
  try {
    if (!options.isShort) sites.push(await openSite(options.folder, "large", largeSite));
    const effort = options.isShort ? { rounds: 1, roundMs: 500, roundOperations: 3 } : listEffort;
    for (const item of listItems) {
      if (options.only !== undefined && !options.only.has(item.id)) continue;
      const row = { id: item.id, title: item.title, ceiling: item.ceilingMs };
      try {
        const contenders: Contender[] = [];
        for (const site of sites) {
          const target = site.target(item.token);
          contenders.push({ target, operation: await openList(target, item) });
        }
        // The large site is judged by the ceiling, so it comes first.
        rows.push({ ...row, results: (await measure(contenders, { ...effort, concurrency: 4 })).reverse() });
      } catch (error) {
        rows.push({ ...row, results: [], failure: (error as Error).message });
      }
      process.stderr.write(`${item.title}\n`);
    }
    console.log(formatTable(rows, sites.map(({ name }) => name).reverse()));
    for (const { name, server } of sites) console.log(`${name}: ${Math.round(memoryOf(server.pid).residentBytes / 2 ** 20)} MB resident afterwards`);
  } finally {
    for (const site of sites) await site.close();
  }
  if (options.jsonPath !== undefined) writeFileSync(options.jsonPath, `${JSON.stringify(rows, undefined, 2)}\n`);
  return rows.every(({ failure }) => failure === undefined);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      scale: { type: "boolean" },
      only: { type: "string" },
      folder: { type: "string", default: join(tmpdir(), "hearth-bench-scale") },
      short: { type: "boolean", default: false },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) console.log(usage);
  else {
    const only = values.only === undefined ? undefined : new Set(values.only.split(","));
    process.exitCode = (await runScaleBench({ only, folder: values.folder, isShort: values.short, jsonPath: values.json })) ? 0 : 1;
  }
}
