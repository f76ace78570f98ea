import type { Log } from "../core/log.ts";
import { createWorkflowLanguage } from "../features/actions/runs/language/pool.ts";
import { createWorkflowReader } from "../features/actions/runs/service/files.ts";
import { createLogFeed } from "../features/actions/runs/service/log-feed.ts";
import { createMasks } from "../features/actions/runs/service/masks.ts";
import { claimTask } from "../features/actions/runs/service/tasks.ts";
import { createWaitingRunners } from "../features/actions/runs/service/waiting-runners.ts";
import type { Context } from "./context.ts";

/** The thread that reads workflow files. */
export function openWorkflows(opened: AsyncDisposableStack, log: Log): Pick<Context, "workflowLanguage" | "workflowReader"> {
  const workflowLanguage = opened.adopt(createWorkflowLanguage({ log }), (language) => language.close());
  return { workflowLanguage, workflowReader: createWorkflowReader(workflowLanguage) };
}

/** The list of runners whose requests this process holds, and the secrets that logs must not show. */
export function openRunners(opened: AsyncDisposableStack, context: Context) {
  const claim = (runner: Parameters<typeof claimTask>[1], jobId: number) => claimTask(context, runner, jobId);
  return {
    waitingRunners: opened.adopt(createWaitingRunners({ ...context, claim }), (waiting) => waiting.close()),
    logMasks: createMasks(context),
    logFeed: opened.adopt(createLogFeed(context), (feed) => feed.close()),
  };
}
