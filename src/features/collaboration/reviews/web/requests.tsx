import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { seeOther, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { pullWorkPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { pullPath } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { bool, inPlace, list, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { readTypedNames } from "../../issues/times/parse-duration.ts";
import { readTypedReviewers } from "../../pulls/reviewing.ts";
import type { PullDeps } from "../../pulls/service/deps.ts";
import { getPull } from "../../pulls/service/find.ts";
import { compareTexts } from "../../pulls/texts/texts.ts";
import { changeReviewers, requestReviews, withdrawRequests } from "../service/requests.ts";
import { RequestsView } from "../views/requests.tsx";

const path = "/{owner}/{repo}/pulls/{index}/reviewers";

export const reviewRequestPages = (deps: PullDeps): Route[] => [
  defineRoute({
    ...pullWorkPage,
    id: "reviewersPage",
    method: "GET",
    path,
    summary: "The requested reviewers, with a form to request others",
    handle: (request) => requestsPage(deps, request, "", undefined),
  }),
  defineRoute({
    ...pullWorkPage,
    id: "askReviewers",
    method: "POST",
    path,
    summary: "Request reviews from users and teams, or withdraw requests",
    body: inPlace({ names: text(), withdraw: bool() }),
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const work = async (): Promise<RawReply> => {
        const wanted = readTypedReviewers(body.names);
        if (body.withdraw) await withdrawRequests(deps, actor, repository, params.index, wanted);
        else await requestReviews(deps, actor, repository, params.index, wanted);
        return seeOther(pullPath(repository, Number(params.index)));
      };
      return submit(work, (problem) => requestsPage(deps, request, body.names, problem), { field: "names", also: ["not_found", "forbidden"] });
    },
  }),
  defineRoute({
    ...pullWorkPage,
    id: "setReviewers",
    method: "POST",
    path: "/{owner}/{repo}/pulls/{index}/side/reviewers",
    summary: "Change the requested reviewers to those that are ticked or named",
    body: inPlace({ people: list(text()), names: text(), shown: text() }),
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const shown = new Set(readTypedNames(body.shown));
      const wanted = new Set([...body.people, ...readTypedNames(body.names)]);
      const added = [...wanted].filter((name) => !shown.has(name)).join(", ");
      const removed = [...shown].filter((name) => !wanted.has(name)).join(", ");
      const work = async (): Promise<RawReply> => {
        const changes = { added: readTypedReviewers(added), removed: readTypedReviewers(removed) };
        await changeReviewers(deps, actor, repository, params.index, changes);
        return seeOther(`${pullPath(repository, Number(params.index))}#side-reviewers`);
      };
      return submit(work, (problem) => requestsPage(deps, request, added, problem), { field: "names", also: ["not_found", "forbidden"] });
    },
  }),
];

interface RequestsRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly params: { readonly index: string };
  readonly signal: AbortSignal;
}

async function requestsPage(deps: PullDeps, request: RequestsRequest, names: string, problem: FormProblem | undefined): Promise<RawReply> {
  const { actor, repository, params } = request;
  const pull = await getPull(deps, request, params.index);
  const reader = pageReader(request);
  const title = `${textsFor(compareTexts, reader.languages).reviewers} · ${pull.issue.title} #${pull.number}`;
  const view = await getRepository(deps, actor, repository.id);
  const props = { repository, pull, formToken: formTokenOf(requireSession(request.session)), names, problem };
  return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "pulls", title, heading: title }, <RequestsView {...props} />);
}
