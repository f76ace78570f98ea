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
import { inPlace, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { unchanged } from "../../issues/service/edit.ts";
import type { PullDeps } from "../service/deps.ts";
import { editPull } from "../service/edit.ts";
import { getPull } from "../service/find.ts";
import { pullTexts } from "../texts/texts.ts";
import { BaseForm } from "../views/base.tsx";

const path = "/{owner}/{repo}/pulls/{index}/base";

/** Pages to change the base branch. */
export const basePages = (deps: PullDeps): Route[] => [
  defineRoute({
    ...pullWorkPage,
    id: "pullBasePage",
    method: "GET",
    path,
    summary: "The form to change the base branch",
    handle: (request) => basePage(deps, request, undefined, undefined),
  }),
  defineRoute({
    ...pullWorkPage,
    id: "changePullBase",
    method: "POST",
    path,
    summary: "Change the base branch of a pull request",
    body: inPlace({ base: text() }),
    handle: (request) => {
      const { actor, repository, params, body, signal } = request;
      const work = async (): Promise<RawReply> => {
        await editPull(deps, actor, repository, params.index, { ...unchanged, labelIds: null, base: body.base.trim(), allowsMaintainerEdit: null }, signal);
        return seeOther(pullPath(repository, Number(params.index)));
      };
      return submit(work, (problem) => basePage(deps, request, body.base, problem), { field: "base", also: ["not_found", "forbidden"] });
    },
  }),
];

interface BaseRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly params: { readonly index: string };
  readonly signal: AbortSignal;
}

async function basePage(deps: PullDeps, request: BaseRequest, typed: string | undefined, problem: FormProblem | undefined): Promise<RawReply> {
  const { actor, repository, params } = request;
  const pull = await getPull(deps, request, params.index);
  const reader = pageReader(request);
  const title = `${textsFor(pullTexts, reader.languages).base} · ${pull.issue.title} #${pull.number}`;
  const view = await getRepository(deps, actor, repository.id);
  const props = { repository, pull, formToken: formTokenOf(requireSession(request.session)), base: typed ?? pull.baseBranch, problem };
  return renderRepositoryPage(
    { ...reader, repository: repositoryHeader(view), tab: "pulls", title, heading: title, isNarrow: "form" },
    <BaseForm {...props} />,
  );
}
