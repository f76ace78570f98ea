import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { type FormProblem, problemOf } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { pullWorkPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { pullPath } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, list, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import type { RoomDeps } from "../../../repositories/repos/service/sizes.ts";
import type { ConflictSide } from "../conflicts.ts";
import { readConflicts, resolveConflicts } from "../service/conflicts.ts";
import type { PullDeps } from "../service/deps.ts";
import { mergeTexts } from "../texts/texts.ts";
import { ConflictsView } from "../views/conflicts.tsx";

type Deps = PullDeps & RoomDeps;

const one = "/{owner}/{repo}/pulls/{index}";
/** For several files; form encoding can triple their size. */
const bodyLimitBytes = 12 * 1024 * 1024;

/** Pages to resolve conflicts of a pull request with its base. */
export const conflictPages = (deps: Deps): Route[] => [
  defineRoute({
    ...pullWorkPage,
    id: "conflictsPage",
    isExpensive: true,
    method: "GET",
    path: `${one}/conflicts`,
    summary: "The conflicts of a pull request with its base",
    handle: (request) => conflictsPage(deps, request),
  }),
  defineRoute({
    ...pullWorkPage,
    id: "resolveConflicts",
    method: "POST",
    path: `${one}/conflicts`,
    summary: "Merge the base into the head with the resolved conflicts",
    body: inPlace({ head: text(), base: text(), path: list(text()), content: list(text(lengths.file)), chosen: list(text()), side: list(text()) }),
    bodyLimitBytes,
    handle: async (request) => {
      const { params, body, repository } = request;
      const texts = new Map(body.path.map((path, at) => [path, body.content[at] ?? ""]));
      const sides = new Map(body.chosen.flatMap((path, at) => (isSide(body.side[at]) ? [[path, body.side[at]]] : [])));
      try {
        await resolveConflicts(deps, request, params.index, { headOid: body.head, baseOid: body.base, texts, sides });
        return seeOther(`${pullPath(repository, Number(params.index))}#merging`);
      } catch (error) {
        if (!isForgeError(error, "invalid") && !isForgeError(error, "stale")) throw error;
        const problem =
          error.code === "stale" ? { field: undefined, message: textsFor(mergeTexts, pageReader(request).languages).movedMeanwhile } : problemOf(error);
        return conflictsPage(deps, request, { typed: texts, sides, problem, status: error.code === "stale" ? 409 : 422 });
      }
    },
  }),
];

const isSide = (word: string | undefined): word is ConflictSide => word === "head" || word === "base";

interface ConflictsRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
  readonly params: { readonly index: string };
}

interface RefusedTexts {
  readonly typed: ReadonlyMap<string, string>;
  readonly sides: ReadonlyMap<string, ConflictSide>;
  readonly problem: FormProblem;
  readonly status: number;
}

async function conflictsPage(deps: Deps, request: ConflictsRequest, refused?: RefusedTexts): Promise<RawReply> {
  const { actor, repository, params } = request;
  const reader = pageReader(request);
  const texts = textsFor(mergeTexts, reader.languages);
  try {
    const conflicts = await readConflicts(deps, request, params.index);
    const view = await getRepository(deps, actor, repository.id);
    const title = `${texts.resolveTitle} · ${conflicts.pull.issue.title} #${conflicts.pull.number}`;
    const props = {
      repository,
      conflicts,
      formToken: formTokenOf(requireSession(request.session)),
      typed: refused?.typed,
      sides: refused?.sides,
      problem: refused?.problem,
    };
    return renderRepositoryPage(
      { ...reader, repository: repositoryHeader(view), tab: "pulls", title, heading: title, status: refused?.status ?? 200 },
      <ConflictsView {...props} />,
    );
  } catch (error) {
    if (!isForgeError(error, "conflict")) throw error;
    return seeOther(`${pullPath(repository, Number(params.index))}#merging`);
  }
}
