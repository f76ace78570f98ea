import type { UserActor } from "../../../access/actor.ts";
import type { Urls } from "../../../core/urls.ts";
import { repository, signedIn } from "../../../http/access.ts";
import { json, variant } from "../../../http/answers.ts";
import { Moved } from "../../../http/authorize.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Repository } from "../../../wire/repository.ts";
import { TransferRepoOption } from "../../../wire/transfer.ts";
import { presentRepository } from "../repos/present.ts";
import { acceptTransfer, findWaiting, rejectTransfer, startTransfer, type TransferDeps, type Waiting } from "./service.ts";

export interface TransferApiDeps extends TransferDeps {
  readonly urls: Urls;
}

/** Routes for repository transfers. */
export function transferRoutes(deps: TransferApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "repoTransfer",
      method: "POST",
      path: "/repos/{owner}/{repo}/transfer",
      tag: "repository",
      summary: "Transfer a repository to another owner: immediately (202), or after acceptance (201)",
      access: repository.owner(),
      scope: "repository",
      body: TransferRepoOption,
      answers: variant([202, 201], Repository),
      refusals: { 403: "forbidden", 404: "notFound", 409: "conflict", 422: "validationError" },
      handle: async ({ actor, repository, body }) => {
        const { isDone, view } = await startTransfer(deps, actor, repository, { newOwner: body.new_owner, teamIds: body.team_ids ?? [] });
        return { status: isDone ? 202 : 201, body: view && presentRepository(view, actor, urls) };
      },
    }),
    defineRoute({
      id: "acceptRepoTransfer",
      method: "POST",
      path: "/repos/{owner}/{repo}/transfer/accept",
      tag: "repository",
      summary: "Accept a repository transfer",
      access: signedIn,
      scope: "repository",
      answers: json(202, Repository),
      refusals: { 301: "redirect", 307: "redirect", 403: "forbidden", 404: "notFound", 413: "tooLarge", 422: "validationError" },
      handle: async ({ actor, params }) => presentRepository(await acceptTransfer(deps, actor, await waiting(deps, actor, params)), actor, urls),
    }),
    defineRoute({
      id: "rejectRepoTransfer",
      method: "POST",
      path: "/repos/{owner}/{repo}/transfer/reject",
      tag: "repository",
      summary: "Reject or cancel a repository transfer",
      access: signedIn,
      scope: "repository",
      answers: variant([200], Repository),
      refusals: { 301: "redirect", 307: "redirect", 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, params }) => {
        const view = await rejectTransfer(deps, actor, await waiting(deps, actor, params));
        return { status: 200, body: view && presentRepository(view, actor, urls) };
      },
    }),
  ];
}

/** The recipient need not have read access, so the route cannot look up the repository itself. */
async function waiting(deps: TransferApiDeps, actor: UserActor, params: { readonly owner: string; readonly repo: string }): Promise<Waiting> {
  const found = await findWaiting(deps, actor, params.owner, params.repo);
  if ("subject" in found) return found.subject;
  const [owner = "", repo = ""] = found.movedTo.split("/");
  throw new Moved({ owner, repo }, found.isAccountRenamed ? 307 : 301);
}
