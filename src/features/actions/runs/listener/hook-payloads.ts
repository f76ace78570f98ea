import { anonymous } from "../../../../access/actor.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import type { WorkflowJobEvent, WorkflowRunEvent } from "../../../../events/workflow-events.ts";
import { presentUser } from "../../../accounts/users/present.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { PayloadContext } from "../../../integrations/hooks/payloads/payload-context.ts";
import { presentForRun, presentJob, presentRun, presentWorkflow } from "../present.ts";
import { findWorkflow } from "../service/manage.ts";

/** The payload of the webhook events `workflow_run` and `workflow_job`: the state at the time of the event. */
export async function composeWorkflowEvent(
  deps: { readonly db: Db; readonly urls: Urls },
  event: WorkflowRunEvent | WorkflowJobEvent,
  { view, repository, sender, fullName }: PayloadContext,
): Promise<object> {
  const location = { fullName, defaultBranch: view.defaultBranch, urls: deps.urls };
  const { action, run } = event;
  if ("job" in event) return { action, workflow_job: presentJob(event.job, run, event.task, location), repository, sender };
  const workflow = await findWorkflow(deps, event.repoId, run.workflowFile);
  const user = run.actorId === null ? undefined : (await loadUsers(deps, [run.actorId])).get(run.actorId);
  const actor = user && presentUser(user, anonymous, deps.urls, "none");
  return {
    action,
    workflow: workflow === undefined ? null : presentWorkflow(workflow, location),
    workflow_run: presentRun(run, location, { actor, repository: presentForRun(view, deps.urls) }),
    repository,
    sender,
  };
}
