import { type Actor, isUser, type UserActor } from "../../../access/actor.ts";
import { writesAny } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Confirmation } from "../../../core/confirmations.ts";
import { invalid } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { lengths } from "../../../core/lengths.ts";
import type { Db } from "../../../db/db.ts";
import { repository } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { settingsPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { type RepositoryName, repositoryPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../../repositories/repos/header.ts";
import { getRepository } from "../../repositories/repos/service/loaders.ts";
import { type RepositoryTextDeps, renderTexts } from "../../site/markup/repository-texts.ts";
import { createMilestone, editMilestone, getMilestone, listMilestones, removeMilestone } from "./service.ts";
import { milestoneTexts } from "./texts/texts.ts";
import { MilestoneForm, MilestonesView, type MilestoneValues } from "./views/milestones.tsx";

interface MilestoneDeps extends RepositoryTextDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const MilestoneFields = inPlace({ title: text(lengths.line), description: text(lengths.milestoneDescription), due_on: text() });
const NoFields = inPlace({});

const planned = ["repo.issues", "repo.pulls"] as const;
const page = { ...settingsPage, tag: "issue", scope: "issue", access: repository.visible } as const;
const change = { ...page, access: repository.writerOfAny(planned) } as const;
const path = "/{owner}/{repo}/milestones";

/** Milestone pages: every reader sees the progress; users who can write issues or pull requests change them. */
export const milestonePages = (deps: MilestoneDeps): Route[] => [
  defineRoute({
    ...page,
    id: "milestonesPage",
    method: "GET",
    path,
    summary: "Milestones and their progress",
    query: { state: query.text("Open or closed milestones", ["open", "closed"]) },
    handle: async (request) => {
      const { actor, repository, page } = request;
      const state = request.query.state === "closed" ? "closed" : "open";
      const { items, total } = await listMilestones(deps, repository, { state, text: "" }, page);
      const descriptions = await renderTexts(
        deps,
        actor,
        repository,
        items.map(({ description }) => description),
      );
      const milestones = items.map((milestone, at) => ({ milestone, html: descriptions[at] ?? "" }));
      const reader = pageReader(request);
      const canChange = isUser(actor) && reader.viewer !== undefined && writesAny(repository.right, planned);
      const props = { repository, state, milestones, total, page, canChange, formToken: reader.viewer?.formToken ?? "", now: deps.clock.now() } as const;
      return show(deps, request, textsFor(milestoneTexts, reader.languages).milestones, <MilestonesView {...props} />);
    },
  }),
  defineRoute({
    ...change,
    id: "newMilestonePage",
    method: "GET",
    path: `${path}/new`,
    summary: "The form for a new milestone",
    handle: (request) => formPage(deps, request, undefined, { title: "", description: "", due_on: "" }),
  }),
  defineRoute({
    ...change,
    id: "addMilestoneByForm",
    method: "POST",
    path: `${path}/new`,
    summary: "Add a milestone",
    body: MilestoneFields,
    handle: (request) => {
      const { actor, repository, body } = request;
      const add = async (): Promise<RawReply> => {
        await createMilestone(deps, actor, repository, { ...readMilestone(request, body), isClosed: false });
        return back(repository);
      };
      return submit(add, (problem) => formPage(deps, request, undefined, body, problem), { field: "title" });
    },
  }),
  defineRoute({
    ...change,
    id: "milestonePage",
    method: "GET",
    path: `${path}/{id}`,
    summary: "The form for editing a milestone",
    handle: async (request) => {
      const { id, title, description, dueMs } = await getMilestone(deps, request.repository, request.params.id);
      return formPage(deps, request, id, { title, description, due_on: dueMs === null ? "" : new Date(dueMs).toISOString().slice(0, 10) });
    },
  }),
  defineRoute({
    ...change,
    id: "changeMilestoneByForm",
    method: "POST",
    path: `${path}/{id}`,
    summary: "Change a milestone",
    body: MilestoneFields,
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      const { id } = await getMilestone(deps, repository, params.id);
      const save = async (): Promise<RawReply> => {
        await editMilestone(deps, actor, repository, String(id), { ...readMilestone(request, body), isClosed: null });
        return back(repository);
      };
      return submit(save, (problem) => formPage(deps, request, id, body, problem), { field: "title" });
    },
  }),
  ...(["close", "reopen"] as const).map((verb) =>
    defineRoute({
      ...change,
      id: `${verb}MilestoneByForm`,
      method: "POST",
      path: `${path}/{id}/${verb}`,
      summary: verb === "close" ? "Close a milestone" : "Open a milestone again",
      body: NoFields,
      handle: async ({ actor, repository, params }) => {
        const { title, dueMs } = await getMilestone(deps, repository, params.id);
        await editMilestone(deps, actor, repository, params.id, { title, description: null, dueMs, isClosed: verb === "close" });
        return back(repository);
      },
    }),
  ),
  defineRoute({
    ...change,
    id: "deleteMilestoneByForm",
    method: "POST",
    path: `${path}/{id}/delete`,
    summary: "Delete a milestone and remove it from its issues",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await removeMilestone(deps, actor, repository, params.id);
      return back(repository, "deleted");
    },
  }),
];

const back = (repository: RepositoryName, confirmation?: Confirmation): RawReply => savedAt(`${repositoryPath(repository)}/milestones`, confirmation);

interface MilestoneRequest extends PageRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
}

/** A due date means the end of its day. */
function readMilestone(request: MilestoneRequest, { title, description, due_on }: MilestoneValues) {
  const { noDate } = textsFor(milestoneTexts, pageReader(request).languages);
  if (title.trim() === "") throw invalid("[Title]: Required", { reason: "required" });
  const dueMs = due_on.trim() === "" ? null : /^\d{4}-\d\d-\d\d$/.test(due_on.trim()) ? Date.parse(`${due_on.trim()}T23:59:59Z`) : Number.NaN;
  if (Number.isNaN(dueMs)) throw invalid(`[DueOn]: ${noDate}`);
  return { title: title.trim(), description: description, dueMs };
}

async function formPage(
  deps: MilestoneDeps,
  request: MilestoneRequest & { readonly actor: UserActor },
  id: number | undefined,
  values: MilestoneValues,
  problem?: FormProblem,
): Promise<RawReply> {
  const { newMilestone, editMilestone: edit } = textsFor(milestoneTexts, pageReader(request).languages);
  const cancel = `${repositoryPath(request.repository)}/milestones`;
  const props = {
    action: `${cancel}/${id ?? "new"}`,
    isNew: id === undefined,
    values,
    problem,
    cancel,
    formToken: formTokenOf(requireSession(request.session)),
  };
  return show(deps, request, id === undefined ? newMilestone : edit(values.title), <MilestoneForm {...props} />);
}

async function show(deps: MilestoneDeps, request: MilestoneRequest, title: string, content: Html): Promise<RawReply> {
  const view = await getRepository(deps, request.actor, request.repository.id);
  return renderRepositoryPage({ ...pageReader(request), repository: repositoryHeader(view), tab: "issues", title, heading: title }, content);
}
