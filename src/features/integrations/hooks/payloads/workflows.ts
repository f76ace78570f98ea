import { type ComposeDeps, type HookPayload, loadPayloadContext } from "./payload-context.ts";

/** A step of a run or a job of a workflow. */
export async function composeWorkflow(
  deps: ComposeDeps,
  message: HookPayload<"workflow_run.changed"> | HookPayload<"workflow_job.changed">,
): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  return context && deps.composeWorkflowEvent(message.eventPayload, context);
}
