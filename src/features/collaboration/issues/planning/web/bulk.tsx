import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Clock } from "../../../../../core/clock.ts";
import { invalid } from "../../../../../core/errors.ts";
import type { FormProblem } from "../../../../../core/form-problem.ts";
import { readId } from "../../../../../core/ids.ts";
import type { Db } from "../../../../../db/db.ts";
import { repository } from "../../../../../http/access.ts";
import { type RawReply, raw } from "../../../../../http/answers.ts";
import { savedAt, submit } from "../../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../../http/session-cookie.ts";
import { repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../../ui/texts/texts.ts";
import { inPlace, int, list, text } from "../../../../../wire/schema.ts";
import { repositoryHeader } from "../../../../repositories/repos/header.ts";
import { getRepository } from "../../../../repositories/repos/service/loaders.ts";
import { listNumbered } from "../../service/find.ts";
import { planningTexts } from "../../texts/texts.ts";
import { readTypedNames } from "../../times/parse-duration.ts";
import { type PlanChange, type PlannedListChange, planIssues } from "../service/plan-many.ts";
import { planChoices } from "../service/side.ts";
import type { ListedKind } from "../sidebar-props.ts";
import type { BulkValues } from "../views/bulk.tsx";
import { BulkPage } from "../views/bulk-page.tsx";

export interface BulkPageDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const BulkForm = inPlace({
  numbers: list(int()),
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
  readonly body: BulkValues & { readonly numbers: readonly number[]; readonly kind: string; readonly query: string; readonly page: number };
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
      const work = async (): Promise<RawReply> => {
        if (body.numbers.length === 0) throw invalid(textsFor(planningTexts, pageReader(request).languages).bulk.nothing);
        await planIssues(deps, actor, repository, body.numbers, wishOf(body));
        return savedAt(withQuery(`${repositoryPath(repository)}/${kindOf(body)}`, { q: body.query, page: body.page > 1 ? body.page : undefined }));
      };
      return submit(work, (problem) => refused(deps, request, problem));
    },
  }),
];

const kindOf = ({ kind }: { readonly kind: string }): ListedKind => (kind === "pulls" ? "pulls" : "issues");

const one = <T,>(how: PlannedListChange<T>["how"], what: readonly T[]): readonly PlannedListChange<T>[] => (what.length === 0 ? [] : [{ how, what }]);
const idsOf = (typed: string): readonly number[] => [readId(typed)].filter((id) => id > 0);

const wishOf = (body: BulkRequest["body"]): PlanChange => ({
  labels: [...one("add", idsOf(body.add_label)), ...one("remove", idsOf(body.remove_label))],
  assignees: [...one("add", readTypedNames(body.assign)), ...one("remove", readTypedNames(body.unassign))],
  milestoneId: body.milestone === "" ? null : readId(body.milestone),
  deadline: null,
  isClosed: body.state === "close" ? true : body.state === "reopen" ? false : null,
});

/** The selection and the rejected change. */
async function refused(deps: BulkPageDeps, request: BulkRequest, problem: FormProblem): Promise<RawReply> {
  const { actor, repository, body, session } = request;
  const reader = pageReader(request);
  const tracking = textsFor(planningTexts, reader.languages);
  const kind = kindOf(body);
  const props = {
    kind,
    repository,
    query: body.query,
    page: Math.max(1, body.page),
    choices: await planChoices(deps, repository),
    formToken: formTokenOf(requireSession(session)),
    chosen: body.numbers,
    values: body,
    problem: problem.reason === "open_dependencies" ? { field: undefined, message: tracking.bulk.waits } : problem,
    issues: await listNumbered(deps, repository, body.numbers),
    now: deps.clock.now(),
  };
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  const { title } = tracking.bulk;
  return renderRepositoryPage({ ...reader, repository: header, tab: kind, title, heading: title }, <BulkPage {...props} />);
}
