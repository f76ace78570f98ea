import { registerHooks } from "node:module";
import { parentPort } from "node:worker_threads";
import { type MessageBody, toMs, type WorkerMessage } from "../../../site/markup/jobs.ts";
import type { LanguageJob } from "./jobs.ts";

// The entry point of a worker thread, and in a bundle a separate entry: dist/language-worker.js.

if (parentPort === null) throw new Error("this file runs only as a worker thread");
const port = parentPort;
const post = (body: MessageBody): void => port.postMessage({ ...body, cpuMs: toMs(process.threadCpuUsage()) } satisfies WorkerMessage);

// The parser imports JSON without the attribute that Node.js requires. A bundle contains the JSON.
if (import.meta.url.endsWith(".ts")) {
  registerHooks({
    load: (url, context, next) => next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
  });
}
const { runLanguageJob } = await import("./run.ts");

port.on("message", (job: LanguageJob) => {
  runLanguageJob(job).then(
    (result) => post({ kind: "done", result }),
    (error: unknown) => post({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
  );
});
post({ kind: "ready" });
