import { parentPort } from "node:worker_threads";
import * as highlighter from "./highlight.ts";
import { type Job, type MessageBody, toMs, type WorkerMessage } from "./jobs.ts";
import { renderText } from "./render.ts";
import { renderTableFile } from "./table-file.ts";
import { parseYaml } from "./yaml.ts";

// The entry point of a worker thread, and in a bundle a separate entry: dist/markup-worker.js.

if (parentPort === null) throw new Error("this file runs only as a worker thread");
const port = parentPort;
const post = (body: MessageBody): void => port.postMessage({ ...body, cpuMs: toMs(process.threadCpuUsage()) } satisfies WorkerMessage);

async function run(job: Job): Promise<unknown> {
  if (job.kind === "text") return renderText(job.format, job.text, job.context, highlighter);
  if (job.kind === "table") return { pieces: [renderTableFile(job.text, job.isTabbed)], references: [] };
  if (job.kind === "formulas") return (await import("./formulas.ts")).renderFormulas(job.formulas);
  if (job.kind === "yaml") return parseYaml(job.text);
  await highlighter.loadGrammars(job.pieces.map(({ language }) => language));
  return job.pieces.map(({ code, language }) => highlighter.highlightCode(code, language));
}

port.on("message", (job: Job) => {
  run(job).then(
    (result) => post({ kind: "done", result }),
    (error: unknown) => post({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
  );
});
post({ kind: "ready" });
