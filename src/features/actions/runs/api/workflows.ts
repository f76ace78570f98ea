import type { RepositorySubject } from "../../../../access/subjects.ts";
import { empty, json, variant } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { ActionWorkflow, ActionWorkflowResponse, CreateActionWorkflowDispatch, RunDetails } from "../../../../wire/action-run.ts";
import { presentDispatch, presentWorkflow, type RunLocation } from "../present.ts";
import type { RunsDeps } from "../service/deps.ts";
import { dispatchWorkflow, getWorkflow, switchWorkflow, workflowsOfDefault } from "../service/dispatch.ts";
import { signedReader, writer } from "./access.ts";

const common = { tag: "repository", scope: "repository" } as const;
const refusals = { 400: "error", 403: "forbidden", 404: "notFound", 422: "validationError" } as const;
const base = "/repos/{owner}/{repo}/actions/workflows";

/** The workflows of the default branch: listed, switched off and on, started by hand. */
export function workflowRoutes(deps: RunsDeps): Route[] {
  const locationOf = ({ fullName, defaultBranch }: RepositorySubject): RunLocation => ({ fullName, defaultBranch, urls: deps.urls });
  return [
    defineRoute({
      ...common,
      id: "ActionsListRepositoryWorkflows",
      method: "GET",
      path: base,
      summary: "List the workflows of the default branch",
      access: signedReader,
      answers: json(200, ActionWorkflowResponse),
      refusals,
      handle: async ({ repository: place }) => {
        const workflows = (await workflowsOfDefault(deps, place)).map((workflow) => presentWorkflow(workflow, locationOf(place)));
        return { workflows, total_count: workflows.length };
      },
    }),
    defineRoute({
      ...common,
      id: "ActionsGetWorkflow",
      method: "GET",
      path: `${base}/{workflow_id}`,
      summary: "Get a workflow by its file name",
      access: signedReader,
      answers: json(200, ActionWorkflow),
      refusals,
      handle: async ({ repository: place, params }) => presentWorkflow(await getWorkflow(deps, place, params.workflow_id), locationOf(place)),
    }),
    defineRoute({
      ...common,
      id: "ActionsDisableWorkflow",
      method: "PUT",
      path: `${base}/{workflow_id}/disable`,
      summary: "Switch a workflow off",
      access: writer,
      answers: empty(),
      refusals,
      handle: ({ repository: place, params }) => switchWorkflow(deps, place, params.workflow_id, true),
    }),
    defineRoute({
      ...common,
      id: "ActionsEnableWorkflow",
      method: "PUT",
      path: `${base}/{workflow_id}/enable`,
      summary: "Switch a workflow on",
      access: writer,
      answers: empty(),
      refusals: { ...refusals, 409: "conflict" },
      handle: ({ repository: place, params }) => switchWorkflow(deps, place, params.workflow_id, false),
    }),
    defineRoute({
      ...common,
      id: "ActionsDispatchWorkflow",
      method: "POST",
      path: `${base}/{workflow_id}/dispatches`,
      summary: "Start a workflow by hand",
      access: writer,
      query: { return_run_details: query.bool("Return the run") },
      body: CreateActionWorkflowDispatch,
      answers: variant([200], RunDetails),
      refusals: { ...refusals, 204: "empty" },
      handle: async ({ actor, repository: place, params, query: { return_run_details }, body }) => {
        const run = await dispatchWorkflow(deps, actor, place, {
          file: params.workflow_id,
          ref: body.ref,
          inputs: body.inputs ?? {},
          present: presentDispatch(deps.urls),
        });
        if (return_run_details !== true) return { status: 204, body: undefined };
        const details = {
          workflow_run_id: run.id,
          run_url: deps.urls.api("repos", place.fullName, "actions", "runs", run.id),
          html_url: deps.urls.web(place.fullName, "actions", "runs", run.id),
        };
        return { status: 200, body: details };
      },
    }),
  ];
}
