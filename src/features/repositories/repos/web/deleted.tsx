import type { UserActor } from "../../../../access/actor.ts";
import { readId } from "../../../../core/ids.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { seeOther, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { repositoryPath } from "../../../../ui/addresses.ts";
import { accountPaths, renderAccountSettings } from "../../../../ui/settings.tsx";
import { inPlace, text } from "../../../../wire/schema.ts";
import { type DeletedDeps, listOwnDeleted, restoreOwnRepository } from "../service/restore.ts";
import { DeletedRepositories, type RefusedRestoration } from "../views/deleted.tsx";

const path = accountPaths.deleted;
const page = { ...settingsPage, tag: "user", access: signedIn, scope: ["user", "repository"], refusesPublicOnly: true } as const;

/** The page on which owners restore deleted repositories. */
export const ownDeletedPages = (deps: DeletedDeps): Route[] => [
  defineRoute({
    ...page,
    id: "ownDeletedRepositoriesPage",
    method: "GET",
    path,
    summary: "Deleted repositories that the caller can restore",
    query: { deleted: query.text("The id of the repository that was just deleted") },
    handle: (request) => show(deps, request, { justDeletedId: readId(request.query.deleted ?? "") }),
  }),
  defineRoute({
    ...page,
    id: "restoreOwnRepositoryByForm",
    method: "POST",
    path: `${path}/{id}/restore`,
    summary: "Restore a deleted repository of the caller",
    body: inPlace({ name: text(lengths.repositoryName) }),
    handle: (request) => {
      const { actor, params, body } = request;
      const [id, name] = [readId(params.id), body.name.trim()];
      return submit(
        async () => seeOther(repositoryPath(await restoreOwnRepository(deps, actor, id, name))),
        (problem) => show(deps, request, { refused: { id, name, problem: { ...problem, field: "name" } } }),
      );
    },
  }),
];

type OwnRequest = PageRequest & { readonly actor: UserActor; readonly page: Page };

interface Shown {
  readonly justDeletedId?: number;
  readonly refused?: RefusedRestoration;
}

async function show(deps: DeletedDeps, request: OwnRequest, shown: Shown): Promise<RawReply> {
  const { actor, page, session } = request;
  const { items, total } = await listOwnDeleted(deps, actor, page);
  const props = { path, repositories: items, total, page, ...shown, formToken: formTokenOf(requireSession(session)) };
  return renderAccountSettings({ ...pageReader(request), section: "deleted" }, <DeletedRepositories {...props} />);
}
