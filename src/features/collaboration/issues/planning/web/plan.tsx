import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Clock } from "../../../../../core/clock.ts";
import { forbidden, invalid, notFound } from "../../../../../core/errors.ts";
import type { FormProblem } from "../../../../../core/form-problem.ts";
import { readId } from "../../../../../core/ids.ts";
import { parseEndOfDay } from "../../../../../core/time.ts";
import type { Db } from "../../../../../db/db.ts";
import { repository } from "../../../../../http/access.ts";
import type { RawReply } from "../../../../../http/answers.ts";
import { seeOther, submit } from "../../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../../http/page-reader.ts";
import { issueWorkPage } from "../../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../../http/session-cookie.ts";
import { issuePath, pullPath, repositoryPath } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { renderRepositoryPage } from "../../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../../ui/texts/texts.ts";
import { bool, inPlace, int, list, text } from "../../../../../wire/schema.ts";
import { repositoryHeader } from "../../../../repositories/repos/header.ts";
import { getRepository } from "../../../../repositories/repos/service/loaders.ts";
import { addLink, removeLink } from "../../links/service/dependencies.ts";
import { setSubscription } from "../../links/service/subscriptions.ts";
import { addReaction, removeReaction } from "../../reactions/service.ts";
import { canWriteIssue } from "../../rights.ts";
import { editIssue, unchanged } from "../../service/edit.ts";
import { getIssue } from "../../service/find.ts";
import { planningTexts } from "../../texts/texts.ts";
import { readTypedIssue, readTypedNames, readTypedTime } from "../../times/parse-duration.ts";
import { addTime, cancelStopwatch, removeTime, startStopwatch, stopStopwatch } from "../../times/service/times.ts";
import { listTransferTargets, transferIssue } from "../../transfer/service.ts";
import { TransferForm } from "../../transfer/views.tsx";
import { movePin, pinIssue, unpinIssue } from "../service/pins.ts";
import { setLocked } from "../service/plan.ts";
import { planIssue } from "../service/plan-many.ts";
import { loadSide } from "../service/side.ts";
import { DependencyForm, EstimateForm, type PlannedProps, type PlanValues, SideForm, type SidePart, sideParts, TimeForm } from "../views/plan-forms.tsx";
import { PlanPage } from "../views/plan-page.tsx";

export interface PlanPageDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const one = "/{owner}/{repo}/issues/{index}";

interface PlanRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly params: { readonly index: string };
}

/**
 * Pages to plan an issue or pull request. The forms are in the sidebar; a rejected form is shown again, with its input, on a page of its
 * own.
 */
export const planPages = (deps: PlanPageDeps): Route[] => [...fieldPages(deps), ...timePages(deps), ...stateRoutes(deps), ...transferPages(deps)];

const fieldPages = (deps: PlanPageDeps): Route[] => [
  defineRoute({
    ...issueWorkPage,
    id: "planPage",
    method: "GET",
    path: `${one}/side/{part}`,
    summary: "The form for the labels, assignees, milestone or due date of an issue",
    handle: (request) => sidePage(deps, request),
  }),
  defineRoute({
    ...issueWorkPage,
    id: "planIssue",
    method: "POST",
    path: `${one}/side/{part}`,
    summary: "Set the labels, assignees, milestone or due date of an issue or pull request",
    body: inPlace({ labels: list(int()), people: list(text()), assignees: text(), self: bool(), milestone: int(), deadline: text() }),
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const part = partOf(params.part);
      const names = [...body.people, ...readTypedNames(body.assignees)];
      const work = async (): Promise<RawReply> => {
        const assignees = body.self ? ({ how: "add", what: [actor.name] } as const) : ({ how: "replace", what: names } as const);
        const deadline = part === "deadline" ? { ms: readDay(body.deadline, pageReader(request).languages) } : null;
        await planIssue(deps, actor, repository, readId(params.index), {
          labels: part === "labels" ? [{ how: "replace", what: body.labels }] : [],
          assignees: part === "assignees" ? [assignees] : [],
          milestoneId: part === "milestone" ? body.milestone : null,
          deadline,
          isClosed: null,
        });
        return backTo(deps, request, `#side-${part}`);
      };
      const again = (problem: FormProblem) => sidePage(deps, request, { values: { ...body, assignees: names.join(", ") }, problem });
      return submit(work, again, { field: part });
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "linkIssue",
    method: "POST",
    path: `${one}/dependencies`,
    summary: "Add or remove a dependency of an issue",
    body: inPlace({ other: text(), remove: bool() }),
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const work = async (): Promise<RawReply> => {
        const other = readTypedIssue(body.other, repository);
        if (other === undefined) throw invalid("no such issue", { reason: "issue_not_found" });
        const link = { number: params.index, other, side: "dependencies", rejectsItself: true } as const;
        await (body.remove ? removeLink : addLink)(deps, actor, repository, link);
        return backTo(deps, request);
      };
      const again = (problem: FormProblem) => formPage(deps, request, (props) => <DependencyForm {...props} value={body.other} problem={problem} />);
      return submit(work, again, { field: "other", also: ["not_found"] });
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "estimateIssue",
    method: "POST",
    path: `${one}/estimate`,
    summary: "Set the time estimate of an issue or pull request",
    body: inPlace({ estimate: text() }),
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const work = async (): Promise<RawReply> => {
        const timeEstimateSeconds = body.estimate.trim() === "" ? 0 : readTypedTime(body.estimate);
        if (timeEstimateSeconds === undefined) throw invalid(textsOf(request).badTime);
        await editIssue(deps, actor, repository, params.index, { ...unchanged, timeEstimateSeconds });
        return backTo(deps, request);
      };
      const again = (problem: FormProblem) => formPage(deps, request, (props) => <EstimateForm {...props} value={body.estimate} problem={problem} />);
      return submit(work, again, { field: "estimate" });
    },
  }),
];

const timePages = (deps: PlanPageDeps): Route[] => [
  defineRoute({
    ...issueWorkPage,
    id: "addIssueTime",
    method: "POST",
    path: `${one}/times`,
    summary: "Add a tracked time of the caller",
    body: inPlace({ time: text() }),
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const work = async (): Promise<RawReply> => {
        const seconds = readTypedTime(body.time);
        if (seconds === undefined || seconds === 0) throw invalid(textsOf(request).badTime);
        await addTime(deps, actor, repository, params.index, { seconds, createdMs: null, user: "" });
        return backTo(deps, request);
      };
      const again = (problem: FormProblem) => formPage(deps, request, (props) => <TimeForm {...props} value={body.time} problem={problem} />);
      return submit(work, again, { field: "time" });
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "removeIssueTime",
    method: "POST",
    path: `${one}/times/{id}/delete`,
    summary: "Delete a tracked time of the caller",
    body: inPlace({}),
    handle: async (request) => {
      const { actor, repository, params } = request;
      await removeTime(deps, actor, repository, params.index, params.id);
      return backTo(deps, request);
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "runStopwatch",
    method: "POST",
    path: `${one}/stopwatch`,
    summary: "Start, stop or discard the caller's stopwatch",
    body: inPlace({ step: text() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      const work = body.step === "start" ? startStopwatch : body.step === "stop" ? stopStopwatch : cancelStopwatch;
      await work(deps, actor, repository, params.index);
      return backTo(deps, request);
    },
  }),
];

/** Subscription, lock, pin and reactions: buttons without a form of their own. */
const stateRoutes = (deps: PlanPageDeps): Route[] => [
  defineRoute({
    ...issueWorkPage,
    id: "subscribeToIssue",
    method: "POST",
    path: `${one}/subscription`,
    summary: "Subscribe to or unsubscribe from an issue",
    access: repository.signedIn(),
    body: inPlace({ wanted: bool() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      await setSubscription(deps, actor, repository, { number: params.index, user: actor.name }, body.wanted);
      return backTo(deps, request);
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "lockIssue",
    method: "POST",
    path: `${one}/lock`,
    summary: "Lock or unlock an issue for users without write access",
    body: inPlace({ wanted: bool(), reason: text() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      await setLocked(deps, actor, repository, params.index, body.wanted ? { reason: body.reason.trim() } : undefined);
      return backTo(deps, request);
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "pinIssuePage",
    method: "POST",
    path: `${one}/pin`,
    summary: "Pin or unpin an issue",
    body: inPlace({ wanted: bool() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      await (body.wanted ? pinIssue : unpinIssue)(deps, actor, repository, params.index);
      return backTo(deps, request);
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "movePinPage",
    method: "POST",
    path: `${one}/pin/move`,
    summary: "Move a pinned issue to another position",
    body: inPlace({ position: int() }),
    handle: async ({ repository, params, body }) => {
      await movePin(deps, repository, params.index, body.position);
      return seeOther(`${repositoryPath(repository)}/issues`);
    },
  }),
  defineRoute({
    ...issueWorkPage,
    id: "reactToIssue",
    method: "POST",
    path: `${one}/reactions`,
    summary: "Add or remove a reaction to an issue or a comment",
    body: inPlace({ comment: text(), add: text(), remove: text() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      const subject = body.comment === "" ? { number: params.index } : { commentId: body.comment };
      if (body.remove !== "") await removeReaction(deps, actor, repository, subject, body.remove);
      else await addReaction(deps, actor, repository, subject, body.add);
      return backTo(deps, request, body.comment === "" ? "#issue" : `#issuecomment-${readId(body.comment)}`);
    },
  }),
];

const transferPages = (deps: PlanPageDeps): Route[] => [
  defineRoute({
    ...issueWorkPage,
    id: "transferIssuePage",
    method: "GET",
    path: `${one}/transfer`,
    summary: "The form that transfers an issue to another repository",
    handle: (request) => transferPage(deps, request),
  }),
  defineRoute({
    ...issueWorkPage,
    id: "transferIssue",
    method: "POST",
    path: `${one}/transfer`,
    summary: "Transfer an issue to another repository",
    body: inPlace({ repository: text() }),
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const work = async (): Promise<RawReply> => {
        const { place, number } = await transferIssue(deps, actor, repository, params.index, body.repository);
        return seeOther(issuePath(place, number));
      };
      return submit(work, (problem) => transferPage(deps, request, { value: body.repository, problem }), { field: "repository" });
    },
  }),
];

const transferPage = (deps: PlanPageDeps, request: PlanRequest, refused: { readonly value?: string; readonly problem?: FormProblem } = {}): Promise<RawReply> =>
  formPage(deps, request, async (props) => {
    const { actor, repository } = request;
    if (props.issue.isPull) throw notFound();
    if (!canWriteIssue(repository, props.issue)) throw forbidden("Only users with write access to issues can transfer them.");
    return <TransferForm {...props} targets={await listTransferTargets(deps, actor, repository)} {...refused} />;
  });

const textsOf = (request: PageRequest) => textsFor(planningTexts, pageReader(request).languages);

/** The end of a day; null for none. @throws ForgeError `invalid` */
function readDay(typed: string, languages: readonly string[]): number | null {
  if (typed.trim() === "") return null;
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(typed.trim()) ? parseEndOfDay(`${typed.trim()}T00:00:00Z`) : undefined;
  if (ms === undefined) throw invalid(`[Deadline]: ${textsFor(planningTexts, languages).noDate}`);
  return ms;
}

/** Redirects to the issue or pull request of the form. */
async function backTo(deps: PlanPageDeps, { repository, params }: PlanRequest, anchor = ""): Promise<RawReply> {
  const { isPull, number } = await getIssue(deps, repository, params.index);
  return seeOther((isPull ? pullPath : issuePath)(repository, number) + anchor);
}

/** @throws ForgeError `not_found` */
function partOf(name: string): SidePart {
  const part = sideParts.find((one) => one === name);
  if (part === undefined) throw notFound();
  return part;
}

const sidePage = (
  deps: PlanPageDeps,
  request: PlanRequest & { readonly params: { readonly part: string } },
  refused: { readonly values?: PlanValues; readonly problem?: FormProblem } = {},
): Promise<RawReply> => {
  const part = partOf(request.params.part);
  return formPage(deps, request, async (props) => <SideForm {...props} part={part} choices={await requireChoices(deps, request)} {...refused} />);
};

async function requireChoices(deps: PlanPageDeps, { actor, repository, params }: PlanRequest) {
  const { choices } = await loadSide(deps, actor, repository, await getIssue(deps, repository, params.index));
  if (choices === undefined) throw forbidden("Only users with write access to issues can plan them.");
  return choices;
}

/** A page with one form about the issue. */
export async function formPage(deps: PlanPageDeps, request: PlanRequest, form: (props: PlannedProps) => Html | Promise<Html>): Promise<RawReply> {
  const { actor, repository, params, session } = request;
  const issue = await getIssue(deps, repository, params.index);
  const reader = pageReader(request);
  const view = repositoryHeader(await getRepository(deps, actor, repository.id));
  const shown = await form({ repository, issue, formToken: formTokenOf(requireSession(session)) });
  return renderRepositoryPage(
    { ...reader, repository: view, tab: issue.isPull ? "pulls" : "issues", title: `${issue.title} #${issue.number}`, heading: null },
    <PlanPage repository={repository} issue={issue}>
      {shown}
    </PlanPage>,
  );
}
