import { entryFile } from "../../../../core/entry-file.ts";
import type { Log } from "../../../../core/log.ts";
import { createPool, type Outcome } from "../../../site/markup/worker-pool.ts";
import type { LanguageJob, LanguageResult } from "./jobs.ts";
import { mistake, type Problem } from "./problem.ts";

/** Reads workflow files and evaluates their expressions on a worker thread, with limits of time and memory. */
export interface WorkflowLanguage {
  /** A workflow that takes too long has a problem that says so. @throws ForgeError `unavailable` when the threads are busy or ended */
  run<J extends LanguageJob>(job: J): Promise<Outcome<LanguageResult<J>>>;
  close(): Promise<void>;
}

const tooComplex = (reason: string): Problem => ({ ...mistake("file_too_complex"), message: `the workflow is too complex: ${reason}` });

/** CPU time of one file. */
const timeoutMs = 3_000;

export function createWorkflowLanguage(deps: { readonly log: Log }): WorkflowLanguage {
  const pool = createPool<LanguageJob>(deps, entryFile(import.meta.url, { source: "worker.ts", bundled: "language-worker.js" }), {
    size: 1,
    timeoutMs,
    maxWaiting: 2_000,
  });
  return {
    run: async <J extends LanguageJob>(job: J) => {
      const outcome = (await pool.run(job)) as Outcome<LanguageResult<J>>;
      return outcome.kind === "given up" ? { kind: "done", value: { problems: [tooComplex(outcome.reason)] } as LanguageResult<J> } : outcome;
    },
    close: () => pool.close(),
  };
}
