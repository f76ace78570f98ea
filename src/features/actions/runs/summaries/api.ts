import { malformed } from "../../../../core/errors.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { readBody } from "../../../../http/read-body.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { headerOf, type RunnerRequest } from "../api/runner-request.ts";
import { jsonReply, refusing, twirpCall } from "../artifacts/api/results.ts";
import { taskOfRuntimeToken } from "../artifacts/service/runtime-token.ts";
import type { RunsDeps } from "../service/deps.ts";
import { maxSummaryBytes, type SummaryDeps, storeSummary } from "./service.ts";

const runs = "/api/actions_pipeline/_apis/pipelines/workflows/{run}";

/** Where runners, and steps of runners that do not, send the summaries of steps. The token decides about the job. */
export function summaryRoutes(deps: RunsDeps & SummaryDeps): Route[] {
  const answer = (request: RunnerRequest, { run, job }: { readonly run: string; readonly job?: string }, step: string): Promise<RawReply> =>
    refusing(async () => {
      const task = await taskOfRuntimeToken(deps, headerOf(request.headers, "authorization"));
      if (run !== String(task.runId) || (job ?? String(task.jobId)) !== String(task.jobId)) throw malformed("the token is that of another job");
      if (!isMarkdown(headerOf(request.headers, "content-type"))) throw malformed("the content type must be text/markdown or text/plain");
      const content = request.stream === undefined ? Buffer.alloc(0) : await readBody(request.stream, maxSummaryBytes);
      const sizeBytes = await storeSummary(deps, task, step, content);
      return jsonReply(200, { message: sizeBytes === 0 ? "cleared" : "success", sizeBytes, runAttempt: task.attempt });
    });
  return [
    defineRoute({
      ...twirpCall,
      method: "PUT",
      id: "uploadStepSummary",
      path: `${runs}/jobs/{job}/steps/{step}/summary`,
      summary: "Store the summary of a step of a running job",
      handle: (request) => answer(request, request.params, request.params.step),
    }),
    defineRoute({
      ...twirpCall,
      method: "PUT",
      id: "uploadOwnSummary",
      path: `${runs}/summary`,
      summary: "Store the summary of a step of a running job, which knows neither its job's number nor its own",
      query: { step: query.text("Index or id of the step") },
      handle: (request) => answer(request, request.params, request.query.step ?? ""),
    }),
  ];
}

const isMarkdown = (type: string): boolean =>
  ["", "application/octet-stream", "text/markdown", "text/plain"].includes(type.split(";", 1)[0]?.trim().toLowerCase() ?? "");
