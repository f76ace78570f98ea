import type { LanguageJob, LanguageResult } from "./jobs.ts";
import { planJob, planRun } from "./plan.ts";
import { WorkflowError } from "./problem.ts";
import { readWorkflow } from "./read.ts";

/** Runs in the worker: reads or plans a workflow. */
export async function runLanguageJob(job: LanguageJob): Promise<LanguageResult<LanguageJob>> {
  try {
    const { fields: _fields, jobFields: _jobFields, ...workflow } = await readWorkflow(job.path, job.text);
    if (job.kind === "read") return { value: workflow };
    const whole = { ...workflow, fields: _fields, jobFields: _jobFields };
    return { value: { run: planRun(whole, job.context), jobs: job.jobs.map(({ key, needed }) => planJob(whole, key, job.context, needed)) } };
  } catch (error) {
    if (error instanceof WorkflowError) return { problems: error.problems };
    // Errors of the libraries for content that they cannot handle.
    return { problems: [{ message: error instanceof Error ? error.message : String(error) }] };
  }
}
