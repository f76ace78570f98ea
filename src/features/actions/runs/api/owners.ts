import { anonymous, type UserActor } from "../../../../access/actor.ts";
import { type SettingsOwner, settingsOwners } from "../../../../access/settings-owner.ts";
import type { Page } from "../../../../core/paging.ts";
import { type Access, organization, type Scope, type SubjectsOf, signedIn, siteAdmin } from "../../../../http/access.ts";
import { envelope } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { type ActionWorkflowJob, ActionWorkflowJobsResponse, type ActionWorkflowRun, ActionWorkflowRunsResponse } from "../../../../wire/action-run.ts";
import { presentUser } from "../../../accounts/users/present.ts";
import { findUserByName, loadUsers } from "../../../accounts/users/service/accounts.ts";
import { loadRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import type { JobRow, RunRow } from "../model.ts";
import { presentForRun, presentJob, presentRun, type RunLocation } from "../present.ts";
import type { RunsDeps } from "../service/deps.ts";
import { coveredBy, jobFilterOf, listJobPage, listRuns, runFilterOf, runsById, tasksOf } from "../service/manage.ts";

/** The lists of runs and jobs, defined once for three kinds of owners. */
interface OwnerRoutes<A extends Access> {
  readonly runsId: string;
  readonly jobsId: string;
  readonly path: string;
  readonly tag: string;
  readonly of: string;
  readonly access: A;
  readonly scope: Scope;
  readonly refusesPublicOnly: boolean;
  readonly subjects: (request: SubjectsOf<A>) => { readonly actor: UserActor; readonly owner: SettingsOwner };
}

const declare = <const A extends Access>(declared: OwnerRoutes<A>): OwnerRoutes<A> => declared;
const organizations = declare({
  ...settingsOwners.organization,
  runsId: "getOrgWorkflowRuns",
  jobsId: "getOrgWorkflowJobs",
  path: "/orgs/{org}/actions",
  access: organization.member,
});
const users = declare({ ...settingsOwners.user, runsId: "getUserWorkflowRuns", jobsId: "getUserWorkflowJobs", path: "/user/actions", access: signedIn });
const server = declare({
  ...settingsOwners.server,
  runsId: "listAdminWorkflowRuns",
  jobsId: "listAdminWorkflowJobs",
  path: "/admin/actions",
  access: siteAdmin,
});

/** Runs and jobs of all repositories of an organization, a user or the server, as far as the caller may see them. */
export const ownerRunRoutes = (deps: RunsDeps): Route[] => [...routesOf(deps, organizations), ...routesOf(deps, users), ...routesOf(deps, server)];

function routesOf<A extends Access>(deps: RunsDeps, { runsId, jobsId, path, of, subjects, ...routes }: OwnerRoutes<A>): Route[] {
  const common = { tag: routes.tag, access: routes.access, scope: routes.scope, refusesPublicOnly: routes.refusesPublicOnly, method: "GET" } as const;
  const refusals = { 400: "error", 404: "notFound" } as const;
  return [
    defineRoute({
      ...common,
      id: runsId,
      path: `${path}/runs`,
      summary: `List the runs of ${of}, newest first`,
      query: {
        event: query.text("Only runs of this trigger"),
        branch: query.text("Only runs of this branch"),
        status: query.text("Only runs with this status or conclusion"),
        actor: query.text("Only runs started by this user"),
        head_sha: query.text("Only runs of this commit"),
      },
      answers: envelope(ActionWorkflowRunsResponse, "links"),
      refusals,
      handle: async (request) => {
        const wanted = request.query;
        const { actor, owner } = subjects(request);
        const starter = wanted.actor ? await findUserByName(deps, wanted.actor) : undefined;
        if (wanted.actor && starter === undefined) return { body: { workflow_runs: [], total_count: 0 }, total: 0 };
        const filter = { ...runFilterOf(undefined, { ...wanted, actorId: starter?.id }), covered: coveredBy(actor, owner) };
        const { items, total } = await listRuns(deps, filter, request.page as Page);
        return { body: { workflow_runs: await presentRuns(deps, actor, items), total_count: total }, total };
      },
    }),
    defineRoute({
      ...common,
      id: jobsId,
      path: `${path}/jobs`,
      summary: `List the jobs of ${of}, oldest first`,
      query: { status: query.text("Only jobs with this status or conclusion") },
      answers: envelope(ActionWorkflowJobsResponse, "links"),
      refusals,
      handle: async (request) => {
        const { actor, owner } = subjects(request);
        const filter = { ...jobFilterOf(request.query.status), covered: coveredBy(actor, owner) };
        const { items, total } = await listJobPage(deps, filter, request.page as Page);
        return { body: { jobs: await presentJobs(deps, actor, items), total_count: total }, total };
      },
    }),
  ];
}

async function presentRuns(deps: RunsDeps, actor: UserActor, runs: readonly RunRow[]): Promise<ActionWorkflowRun[]> {
  const views = new Map((await loadRepositoryViews(deps, actor, idsOf(runs))).map((view) => [view.id, presentForRun(view, deps.urls)]));
  const users = await loadUsers(deps, [...new Set(runs.flatMap(({ actorId }) => actorId ?? []))]);
  return runs.flatMap((run) => {
    const repository = views.get(run.repoId);
    const user = run.actorId === null ? undefined : users.get(run.actorId);
    if (repository === undefined) return [];
    const location = { fullName: repository.full_name, defaultBranch: repository.default_branch, urls: deps.urls };
    return [presentRun(run, location, { actor: user && presentUser(user, anonymous, deps.urls, "none"), repository })];
  });
}

async function presentJobs(deps: RunsDeps, actor: UserActor, jobs: readonly JobRow[]): Promise<ActionWorkflowJob[]> {
  const views = await loadRepositoryViews(deps, actor, idsOf(jobs));
  const locations = new Map(
    views.map((view): [number, RunLocation] => [view.id, { fullName: `${view.owner.name}/${view.name}`, defaultBranch: view.defaultBranch, urls: deps.urls }]),
  );
  const runs = await runsById(deps, undefined, jobs);
  const tasks = await tasksOf(deps, jobs);
  return jobs.flatMap((job) => {
    const run = runs.get(job.runId);
    const location = locations.get(job.repoId);
    return run === undefined || location === undefined ? [] : [presentJob(job, run, job.taskId === null ? undefined : tasks.get(job.taskId), location)];
  });
}

const idsOf = (rows: readonly { readonly repoId: number }[]): readonly number[] => [...new Set(rows.map(({ repoId }) => repoId))];
