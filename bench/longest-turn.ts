import { parseArgs } from "node:util";
import { type MonitoredAnswer, openWorstSite } from "./worst-site.ts";

const usage = `npm run bench -- longest-turn [--limit 50]

Pushes a repository with many refs, files, lines and commits to the program, sends each of its GET routes, and prints those that block the event loop
the longest: CPU ms of the main thread between two turns. The command fails if a route takes more than the limit. Run it on a quiet machine.`;

const shownRows = 30;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { limit: { type: "string", default: "50" }, help: { type: "boolean" } } });
  if (values.help === true) return void process.stdout.write(`${usage}\n`);
  const limitMs = Number(values.limit);
  await using site = await openWorstSite();
  const answers: MonitoredAnswer[] = [await site.pushRefs()];
  for (const address of site.addresses) answers.push(await site.get(address));
  const slowest = answers.toSorted((one, other) => other.loop.cpuMs - one.loop.cpuMs);
  for (const { path, status, bytes, loop } of slowest.slice(0, shownRows)) {
    const mark = loop.cpuMs > limitMs ? "OVER" : "";
    process.stdout.write(`${loop.cpuMs.toFixed(0).padStart(6)}  ${mark.padEnd(4)}  ${status}  ${String(Math.round(bytes / 1_024)).padStart(6)} KiB  ${path}\n`);
  }
  if (slowest.some(({ status, loop }) => status >= 500 || loop.cpuMs > limitMs)) process.exitCode = 1;
}

await main();
