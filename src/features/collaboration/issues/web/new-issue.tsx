import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Db } from "../../../../db/db.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { seeOther, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { issueWorkPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { issuePath, repositoryPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { bool, inPlace, int, list, mapOf, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { type RepositoryTextDeps, renderTexts } from "../../../site/markup/repository-texts.ts";
import { planFromTemplate } from "../planning/service/planned-by-template.ts";
import { planChoices } from "../planning/service/side.ts";
import type { PlanValues } from "../planning/views/plan-forms.tsx";
import { canWriteIssue } from "../rights.ts";
import { createIssue, type IssuePlan, noPlan } from "../service/create.ts";
import { composeContent, explanationsOf, type FormAnswers, findWrong, noAnswers } from "../templates/answers.ts";
import { listTemplates, readConfig, type TemplateDeps } from "../templates/service.ts";
import type { FormField, IssueTemplateView } from "../templates/template.ts";
import { issueTexts, planningTexts } from "../texts/texts.ts";
import { readTypedNames } from "../times/parse-duration.ts";
import { ChooseTemplateView, type FilledForm, NewIssueView } from "../views/new-issue.tsx";

export interface NewIssueDeps extends RepositoryTextDeps, TemplateDeps {
  readonly db: Db;
  readonly git: GitStores;
}

/** Answers to a template's questions, by field id. */
const NewIssueForm = inPlace({
  title: text(),
  content: text(),
  template: text(),
  answers: mapOf(text()),
  ticks: mapOf(list(int())),
  /** The form showed the plan fields, so their values count. */
  plans: bool(),
  labels: list(int()),
  assignees: text(),
  milestone: int(),
});

interface NewIssueRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
}

/** Pages to create issues, with a free text or a template of the repository. */
export const newIssuePages = (deps: NewIssueDeps): Route[] => [
  defineRoute({
    ...issueWorkPage,
    id: "newIssuePage",
    method: "GET",
    path: "/{owner}/{repo}/issues/new",
    summary: "The form for a new issue",
    query: {
      title: query.text("The title of the issue"),
      body: query.text("Its text"),
      template: query.text("The template of the issue"),
      blank: query.bool("Without a template"),
    },
    handle: async (request) => {
      const { repository, query } = request;
      requireReader(repository);
      const template = await findTemplate(deps, repository, query.template ?? "");
      const isBegun = template !== undefined || query.blank === true || query.title !== undefined || query.body !== undefined;
      if (!isBegun && (await listTemplates(deps, repository)).templates.length > 0) return seeOther(`${repositoryPath(repository)}/issues/new/choose`);
      return newIssuePage(deps, request, {
        template,
        title: query.title ?? template?.title ?? "",
        content: query.body ?? template?.content ?? "",
        answers: noAnswers,
        planned: valuesOf(await planOfTemplate(deps, repository, template)),
      });
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "chooseTemplatePage",
    method: "GET",
    path: "/{owner}/{repo}/issues/new/choose",
    summary: "Choose a template for an issue",
    handle: async (request) => {
      const { repository } = request;
      requireReader(repository);
      const { templates, invalid } = await listTemplates(deps, repository);
      const { config, problem } = await readConfig(deps, repository);
      const props = { repository, templates, invalid, config, configProblem: problem };
      return render(deps, request, textsFor(planningTexts, pageReader(request).languages).templates, <ChooseTemplateView {...props} />);
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "openIssue",
    method: "POST",
    path: "/{owner}/{repo}/issues/new",
    summary: "Open an issue",
    body: NewIssueForm,
    handle: async (request) => {
      const { actor, repository, body } = request;
      const template = await findTemplate(deps, repository, body.template);
      const answers = { texts: body.answers, ticks: body.ticks };
      const title = body.title.trim();
      const planned = { labels: body.labels, assignees: body.assignees, milestone: body.milestone };
      const typed = { template, title, content: body.content, answers, planned };
      const fields = template?.fields ?? undefined;
      const wrong = fields && (await findWrong(fields, answers));
      if (title !== "" && wrong !== undefined) {
        const problem = { field: `answers.${wrong.id}`, message: wrong.reason, reason: wrong.reason };
        return { ...(await newIssuePage(deps, request, typed, problem)), status: 422 };
      }
      const work = async (): Promise<RawReply> => {
        if (title === "") throw invalid("[Title]: Required", { reason: "title_required" });
        const content = fields === undefined ? typed.content : composeContent(fields, answers);
        const plan = body.plans ? planOf(planned) : await planOfTemplate(deps, repository, template);
        const { number } = await createIssue(deps, actor, repository, { title, content, ref: "", isClosed: false, plan });
        return seeOther(issuePath(repository, number));
      };
      return submit(work, (problem) => newIssuePage(deps, request, typed, problem), { fieldOf: { title_required: "title", user_not_found: "assignees" } });
    },
  }),
];

const planOfTemplate = async (deps: NewIssueDeps, repository: RepositorySubject, template: IssueTemplateView | undefined): Promise<IssuePlan> =>
  template === undefined ? noPlan : planFromTemplate(deps, repository, template);

type PlannedValues = Omit<PlanValues, "deadline">;

const valuesOf = ({ labelIds, assignees, milestoneId }: IssuePlan): PlannedValues => ({
  labels: labelIds,
  assignees: assignees.join(", "),
  milestone: milestoneId,
});
const planOf = ({ labels, assignees, milestone }: PlannedValues): IssuePlan => ({
  ...noPlan,
  labelIds: labels,
  assignees: readTypedNames(assignees),
  milestoneId: milestone,
});

function requireReader({ right }: RepositorySubject): void {
  if (!atLeast(right.unit("repo.issues"), "read")) throw notFound();
}

/** Finds a template by its path, or by its file name as in external links. Undefined if none is requested, or it no longer exists. */
async function findTemplate(deps: NewIssueDeps, repository: RepositorySubject, fileName: string): Promise<IssueTemplateView | undefined> {
  if (fileName === "") return undefined;
  const { templates } = await listTemplates(deps, repository);
  return templates.find((template) => template.fileName === fileName) ?? templates.find((template) => template.fileName.endsWith(`/${fileName}`));
}

interface Typed {
  readonly template: IssueTemplateView | undefined;
  readonly title: string;
  readonly content: string;
  readonly answers: FormAnswers;
  readonly planned: PlannedValues;
}

async function newIssuePage(deps: NewIssueDeps, request: NewIssueRequest, typed: Typed, problem?: FormProblem): Promise<RawReply> {
  const { actor, repository, session } = request;
  requireReader(repository);
  const { template, title, content, answers, planned } = typed;
  const choices = canWriteIssue(repository, { isPull: false }) ? await planChoices(deps, repository) : undefined;
  const form: FilledForm | undefined =
    template === undefined || template.fields === null
      ? undefined
      : { fileName: template.fileName, fields: template.fields, answers, explained: await explain(deps, actor, repository, template.fields) };
  const props = { repository, formToken: formTokenOf(requireSession(session)), title, content, form, plan: choices && { choices, values: planned }, problem };
  return render(deps, request, textsFor(issueTexts, pageReader(request).languages).create, <NewIssueView {...props} />);
}

/** Renders the texts of a form, by their Markdown source. */
async function explain(
  deps: NewIssueDeps,
  actor: UserActor,
  repository: RepositorySubject,
  fields: readonly FormField[],
): Promise<ReadonlyMap<string, string>> {
  const texts = explanationsOf(fields);
  const rendered = await renderTexts(deps, actor, repository, texts);
  return new Map(texts.map((text, at) => [text, rendered[at] ?? ""]));
}

async function render(deps: NewIssueDeps, request: NewIssueRequest, title: string, content: Html): Promise<RawReply> {
  const { actor, repository } = request;
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  return renderRepositoryPage({ ...pageReader(request), repository: header, tab: "issues", title, heading: title }, content);
}
