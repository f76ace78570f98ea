import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Clock } from "../../../../../core/clock.ts";
import { invalid } from "../../../../../core/errors.ts";
import type { FormProblem } from "../../../../../core/form-problem.ts";
import { readId } from "../../../../../core/ids.ts";
import type { Db } from "../../../../../db/db.ts";
import { repository } from "../../../../../http/access.ts";
import { type RawReply, raw } from "../../../../../http/answers.ts";
import { seeOther, submit } from "../../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../../http/session-cookie.ts";
import { repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../../ui/texts/texts.ts";
import { bool, inPlace, int, list, text } from "../../../../../wire/schema.ts";
import { repositoryHeader } from "../../../../repositories/repos/header.ts";
import { getRepository } from "../../../../repositories/repos/service/loaders.ts";
import { readTypedQuery } from "../../search/query-language.ts";
import { findMatches } from "../../search/service/typed-search.ts";
import { listNumbered } from "../../service/find.ts";
import { loadIssuesInOrder, onlyLocation } from "../../service/loaders.ts";
import { loadTaskProgress } from "../../tasks/service/progress.ts";
import { planningTexts } from "../../texts/texts.ts";
import { readTypedNames } from "../../times/parse-duration.ts";
import { maxAtOnce, type PlanChange, type PlannedListChange, planIssues, RefusedIssue, undoBulkChange } from "../service/plan-many.ts";
import { planChoices } from "../service/side.ts";
import type { ListedKind } from "../sidebar-props.ts";
import type { BulkValues } from "../views/bulk.tsx";
import { BulkPage, BulkPreview } from "../views/bulk-page.tsx";

export interface BulkPageDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const BulkForm = inPlace({
  numbers: list(int()),
  all: bool(),
  /** The number of matches that a preview has shown; 0 without one. */
  count: int(),
  kind: text(),
  query: text(),
  page: int(),
  state: text(),
  add_label: text(),
  remove_label: text(),
  milestone: text(),
  assign: text(),
  unassign: text(),
});

interface BulkRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly body: BulkValues & {
    readonly numbers: readonly number[];
    readonly all: boolean;
    readonly count: number;
    readonly kind: string;
    readonly query: string;
    readonly page: number;
  };
}

/** Bulk changes from the lists of issues and pull requests. */
export const bulkPages = (deps: BulkPageDeps): Route[] => [
  defineRoute({
    id: "changeIssues",
    method: "POST",
    mount: "root",
    path: "/{owner}/{repo}/issues/bulk",
    tag: "issue",
    isUnlisted: true,
    isPage: true,
    summary: "Change the selected issues or pull requests of a list: all of them, or none",
    access: repository.writerOfAny(["repo.issues", "repo.pulls"], { archived: "refused" }),
    scope: "issue",
    body: BulkForm,
    answers: raw(["text/html"]),
    handle: (request) => {
      const { actor, repository, body } = request;
      let refusedNumber: number | undefined;
      const work = async (): Promise<RawReply> => {
        if (body.numbers.length === 0 && !body.all) throw invalid(textsFor(planningTexts, pageReader(request).languages).bulk.nothing);
        const matches = body.all ? await findMatching(deps, request) : undefined;
        // The number of matches may have changed since the preview.
        if (matches !== undefined && matches.total !== body.count) return preview(deps, request, matches);
        if (isEmpty(body)) throw invalid(textsFor(planningTexts, pageReader(request).languages).bulk.noChange);
        const changed = await planIssues(deps, actor, repository, matches?.numbers ?? body.numbers, wishOf(body)).catch((error: unknown) => {
          if (error instanceof RefusedIssue) refusedNumber = error.number;
          throw error;
        });
        return seeOther(withQuery(listPath(request), { q: body.query, page: body.page > 1 ? body.page : undefined, changed }));
      };
      return submit(work, (problem) => refused(deps, request, problem, refusedNumber), {
        fieldOf: { user_not_found: "assign", assignee_without_access: "assign" },
      });
    },
  }),
  defineRoute({
    id: "undoChangedIssues",
    method: "POST",
    mount: "root",
    path: "/{owner}/{repo}/issues/bulk/undo",
    tag: "issue",
    isUnlisted: true,
    isPage: true,
    summary: "Undo the caller's last change of several issues or pull requests",
    access: repository.writerOfAny(["repo.issues", "repo.pulls"], { archived: "refused" }),
    scope: "issue",
    body: inPlace({ kind: text(), query: text() }),
    answers: raw(["text/html"]),
    handle: async (request) => {
      const undone = await undoBulkChange(deps, request.actor, request.repository);
      return seeOther(withQuery(listPath(request), { q: request.body.query, undone }));
    },
  }),
];

const listPath = ({ repository, body }: { readonly repository: RepositorySubject; readonly body: { readonly kind: string } }): string =>
  `${repositoryPath(repository)}/${kindOf(body)}`;

interface Matches {
  readonly numbers: readonly number[];
  readonly total: number;
}

async function findMatching(deps: BulkPageDeps, { actor, repository, body }: BulkRequest): Promise<Matches> {
  const query = readTypedQuery(body.query, deps.clock.now());
  const { items, total } = await findMatches(deps, actor, { repository, query, kind: kindOf(body) }, maxAtOnce);
  const issues = await loadIssuesInOrder(deps, items, onlyLocation(repository));
  return { numbers: issues.map(({ number }) => number), total };
}

const shownMatches = 20;

async function preview(deps: BulkPageDeps, request: BulkRequest, { numbers, total }: Matches): Promise<RawReply> {
  const { actor, repository, body, session } = request;
  const reader = pageReader(request);
  const texts = textsFor(planningTexts, reader.languages).bulk;
  const kind = kindOf(body);
  const choices = await planChoices(deps, repository);
  const labelOf = (typed: string): string => choices.labels.find(({ id }) => id === readId(typed))?.name ?? typed;
  const milestone = choices.milestones.find(({ id }) => id === readId(body.milestone))?.title;
  const changes = [
    ...(body.state === "" ? [] : [body.state === "close" ? texts.close : texts.reopen]),
    ...(body.add_label === "" ? [] : [`${texts.addLabel}: ${labelOf(body.add_label)}`]),
    ...(body.remove_label === "" ? [] : [`${texts.removeLabel}: ${labelOf(body.remove_label)}`]),
    ...(body.milestone === "" ? [] : [milestone === undefined ? texts.noMilestone : `${texts.milestone}: ${milestone}`]),
    ...(body.assign.trim() === "" ? [] : [`${texts.assign}: ${body.assign}`]),
    ...(body.unassign.trim() === "" ? [] : [`${texts.unassign}: ${body.unassign}`]),
  ];
  if (isEmpty(body)) throw invalid(texts.noChange);
  const { state, add_label, remove_label, assign, unassign } = body;
  const issues = await listNumbered(deps, repository, numbers.slice(0, shownMatches));
  const props = {
    kind,
    repository,
    query: body.query,
    page: Math.max(1, body.page),
    formToken: formTokenOf(requireSession(session)),
    values: { state, add_label, remove_label, milestone: body.milestone, assign, unassign },
    changes,
    count: numbers.length,
    matches: total,
    issues,
    progress: await loadTaskProgress(deps.db, issues),
    now: deps.clock.now(),
  };
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  const title = texts.previewTitle;
  return renderRepositoryPage({ ...reader, repository: header, tab: kind, title, heading: title }, <BulkPreview {...props} />);
}

const kindOf = ({ kind }: { readonly kind: string }): ListedKind => (kind === "pulls" ? "pulls" : "issues");

const one = <T,>(how: PlannedListChange<T>["how"], what: readonly T[]): readonly PlannedListChange<T>[] => (what.length === 0 ? [] : [{ how, what }]);
const idsOf = (typed: string): readonly number[] => [readId(typed)].filter((id) => id > 0);

const isEmpty = ({ state, add_label, remove_label, milestone, assign, unassign }: BulkValues): boolean =>
  [state, add_label, remove_label, milestone, assign.trim(), unassign.trim()].every((value) => value === "");

const wishOf = (body: BulkRequest["body"]): PlanChange => ({
  labels: [...one("add", idsOf(body.add_label)), ...one("remove", idsOf(body.remove_label))],
  assignees: [...one("add", readTypedNames(body.assign)), ...one("remove", readTypedNames(body.unassign))],
  milestoneId: body.milestone === "" ? null : readId(body.milestone),
  deadline: null,
  isClosed: body.state === "close" ? true : body.state === "reopen" ? false : null,
});

/** The selection and the rejected change. */
async function refused(deps: BulkPageDeps, request: BulkRequest, problem: FormProblem, refusedNumber: number | undefined): Promise<RawReply> {
  const { actor, repository, body, session } = request;
  const reader = pageReader(request);
  const kind = kindOf(body);
  const issues = await listNumbered(deps, repository, body.numbers);
  const props = {
    kind,
    repository,
    query: body.query,
    page: Math.max(1, body.page),
    choices: await planChoices(deps, repository),
    formToken: formTokenOf(requireSession(session)),
    chosen: body.numbers,
    isForAll: body.all,
    ...(body.all && { matches: (await findMatching(deps, request)).total }),
    values: body,
    problem,
    refusedNumber,
    issues,
    progress: await loadTaskProgress(deps.db, issues),
    now: deps.clock.now(),
  };
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  const { title } = textsFor(planningTexts, reader.languages).bulk;
  return renderRepositoryPage({ ...reader, repository: header, tab: kind, title, heading: title }, <BulkPage {...props} />);
}
