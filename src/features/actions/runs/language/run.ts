import type { LanguageJob, LanguageResult } from "./jobs.ts";
import { evaluateEach, planJob, planOutputs, planRun } from "./plan.ts";
import { WorkflowError } from "./problem.ts";
import { readWorkflow } from "./read.ts";

/** Runs in the worker: reads or plans a workflow, or evaluates expressions. */
export async function runLanguageJob(job: LanguageJob): Promise<LanguageResult<LanguageJob>> {
  try {
    if (job.kind === "values") return { value: evaluateEach(job.values, job.contexts) };
    const whole = await readWorkflow(job.path, job.text);
    if (job.kind === "outputs") return { value: planOutputs(whole, job.context, job.jobs) };
    if (job.kind === "plan") {
      return { value: { run: planRun(whole, job.context), jobs: job.jobs.map(({ key, needed }) => planJob(whole, key, job.context, needed)) } };
    }
    const { fields: _fields, jobFields: _jobFields, ...workflow } = whole;
    return { value: workflow };
  } catch (error) {
    if (error instanceof WorkflowError) return { problems: error.problems };
    // Errors of the libraries for content that they cannot handle.
    return { problems: [{ message: error instanceof Error ? error.message : String(error) }] };
  }
}
