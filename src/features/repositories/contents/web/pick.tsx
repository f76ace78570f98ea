import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { messageTitle } from "../../../../core/commit-message.ts";
import { notFound } from "../../../../core/errors.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Commit } from "../../../../git/types.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { seeOther, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { comparePath, historyPath } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { getCommit } from "../../commits/service/commit.ts";
import type { CommitDeps } from "../../commits/service/loaders.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import { type CarryDeps, carryChange } from "../service/carry.ts";
import { pickTexts } from "../texts/texts.ts";
import { type PickTyped, PickView } from "../views/pick.tsx";
import { committingPage, fieldOfBranch } from "./commit-form.ts";

type Deps = CarryDeps & CommitDeps;

const path = "/{owner}/{repo}/_cherrypick/{sha}";

/** The pages for cherry-picking and reverting commits. */
export const pickingPages = (deps: Deps): Route[] => [
  defineRoute({
    ...committingPage,
    id: "cherryPickPage",
    method: "GET",
    path,
    summary: "The form for cherry-picking or reverting a commit",
    query: { how: query.text("`pick` or `revert`", ["pick", "revert"]), branch: query.text("Where to") },
    handle: async (request) => {
      const { how, branch } = request.query;
      const values = { how: how === "revert" ? "revert" : "pick", branch: branch || request.repository.defaultBranch, new_branch: "", message: "" };
      return pickPage(deps, request, await requireCommit(deps, request), { values });
    },
  }),
  defineRoute({
    ...committingPage,
    id: "cherryPick",
    method: "POST",
    path,
    summary: "Cherry-pick or revert a commit",
    body: inPlace({ how: text(), branch: text(), new_branch: text(), message: text() }),
    handle: async (request) => {
      const { actor, repository, body, signal } = request;
      const commit = await requireCommit(deps, request);
      const carry = async (): Promise<RawReply> => {
        const isRevert = body.how === "revert";
        const [parentOid] = commit.parentOids;
        const [fromOid, toOid] = isRevert ? [commit.oid, parentOid] : [parentOid, commit.oid];
        const typed = body.message.trim();
        const author = isRevert ? undefined : commit.author;
        const change = {
          fromOid,
          toOid,
          branch: body.branch.trim(),
          newBranch: body.new_branch.trim(),
          message: typed || usualMessage(commit, isRevert),
          author,
        };
        const branch = await carryChange(deps, actor, repository, change, signal);
        return seeOther(
          change.newBranch === "" ? historyPath(repository, { kind: "branch", rev: branch }) : comparePath(repository, `${change.branch}...${branch}`),
        );
      };
      return submit(carry, (problem) => pickPage(deps, request, commit, { values: body, problem }), {
        fieldOf: { ...fieldOfBranch, branch_not_found: "branch", change_present: "branch", change_conflicts: "branch" },
        also: ["not_found", "forbidden"],
      });
    },
  }),
];

/** The default message of git (git-cherry-pick, `-x`; git-revert). */
function usualMessage({ oid, message }: Commit, isRevert: boolean): string {
  const title = messageTitle(message);
  return isRevert ? `Revert "${title}"\n\nThis reverts commit ${oid}.` : `${message.trim()}\n\n(cherry picked from commit ${oid})`;
}

interface PickRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly params: { readonly sha: string };
  readonly signal: AbortSignal;
}

/** A commit by its full or abbreviated id; a merge is picked as its difference to the first parent. */
async function requireCommit(deps: Deps, { actor, repository, params, signal }: PickRequest): Promise<Commit> {
  if (!/^[0-9a-f]{7,64}$/.test(params.sha)) throw notFound();
  const detail = { stats: false, files: false, verification: false };
  return (await getCommit(deps, { actor, repository, detail, signal }, params.sha)).commit;
}

interface PickState {
  readonly values: PickTyped;
  readonly problem?: FormProblem;
}

async function pickPage(deps: Deps, request: PickRequest, commit: Commit, { values, problem }: PickState): Promise<RawReply> {
  const { actor, repository } = request;
  const reader = pageReader(request);
  const title = textsFor(pickTexts, reader.languages).title(messageTitle(commit.message) || commit.oid.slice(0, 10));
  const view = await getRepository(deps, actor, repository.id);
  const props = { repository, oid: commit.oid, formToken: formTokenOf(requireSession(request.session)), values, problem };
  return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title }, <PickView {...props} />);
}
