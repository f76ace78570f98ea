import { plannedUnits } from "../../../access/repository.ts";
import { parseEndOfDay, parseTime } from "../../../core/time.ts";
import type { Db } from "../../../db/db.ts";
import { repository } from "../../../http/access.ts";
import { empty, json, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { CreateMilestoneOption, EditMilestoneOption, Milestone } from "../../../wire/milestone.ts";
import type { MilestoneEdit, MilestoneFilter, NewMilestoneInput } from "./model.ts";
import { presentMilestone } from "./present.ts";
import { createMilestone, editMilestone, getMilestone, listMilestones, removeMilestone } from "./service.ts";

export interface MilestoneApiDeps {
  readonly db: Db;
}

/**
 * Milestones of a repository. `{id}` is the id or the title.
 * @compat milestones of an archived repository can be changed too (scenarios/archived.test.ts)
 */
export function milestoneRoutes(deps: MilestoneApiDeps): Route[] {
  return [
    defineRoute({
      id: "issueGetMilestonesList",
      method: "GET",
      path: "/repos/{owner}/{repo}/milestones",
      tag: "issue",
      summary: "List the milestones of a repository, sorted by due date",
      access: repository.visible,
      scope: "issue",
      query: {
        state: query.text("Defaults to open milestones", ["open", "closed", "all"]),
        name: query.text("Only milestones whose title contains this text (case-insensitive)"),
      },
      answers: list(Milestone, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, query, page }) => {
        const { items, total } = await listMilestones(deps, repository, { state: readState(query.state), text: query.name ?? "" }, page);
        return { total, items: items.map(presentMilestone) };
      },
    }),
    defineRoute({
      id: "issueCreateMilestone",
      method: "POST",
      path: "/repos/{owner}/{repo}/milestones",
      tag: "issue",
      summary: "Create a milestone",
      access: repository.writerOfAny(plannedUnits),
      scope: "issue",
      body: CreateMilestoneOption,
      answers: json(201, Milestone),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, body }) => presentMilestone(await createMilestone(deps, actor, repository, readNewMilestone(body))),
    }),
    defineRoute({
      id: "issueGetMilestone",
      method: "GET",
      path: "/repos/{owner}/{repo}/milestones/{id}",
      tag: "issue",
      summary: "Get a milestone",
      access: repository.visible,
      scope: "issue",
      answers: json(200, Milestone),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params }) => presentMilestone(await getMilestone(deps, repository, params.id)),
    }),
    defineRoute({
      id: "issueEditMilestone",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/milestones/{id}",
      tag: "issue",
      summary: "Update a milestone; omitted fields except the due date stay unchanged",
      access: repository.writerOfAny(plannedUnits),
      scope: "issue",
      body: EditMilestoneOption,
      answers: json(200, Milestone),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, body }) => presentMilestone(await editMilestone(deps, actor, repository, params.id, readEdit(body))),
    }),
    defineRoute({
      id: "issueDeleteMilestone",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/milestones/{id}",
      tag: "issue",
      summary: "Delete a milestone; its issues remain",
      access: repository.writerOfAny(plannedUnits),
      scope: "issue",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, repository, params }) => removeMilestone(deps, actor, repository, params.id),
    }),
  ];
}

const readState = (text: string | undefined): MilestoneFilter["state"] => (text === "closed" || text === "all" ? text : "open");

const readNewMilestone = (option: CreateMilestoneOption): NewMilestoneInput => ({
  title: option.title,
  description: option.description,
  isClosed: option.state === "closed",
  dueMs: parseTime(option.due_on ?? "") ?? null,
});

const readEdit = (option: EditMilestoneOption): MilestoneEdit => ({
  title: option.title,
  description: option.description,
  isClosed: option.state === null ? null : option.state === "closed",
  // @compat an edited due date means the end of the day; a due date set on creation is an exact time (milestones/api.test.ts)
  dueMs: parseEndOfDay(option.due_on ?? "") ?? null,
});
