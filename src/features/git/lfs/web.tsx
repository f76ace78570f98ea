import { isForgeError } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { repositorySettingsPage, type SettingsRequest } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { settingsPath } from "../../../ui/addresses.ts";
import { renderRepositorySettings } from "../../../ui/settings.tsx";
import { inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../../repositories/repos/header.ts";
import { getRepository } from "../../repositories/repos/service/loaders.ts";
import type { LfsDeps } from "./service/deps.ts";
import { maxLocksPerPage, pageLocks, unlock } from "./service/locks.ts";
import { listObjects } from "./service/objects.ts";
import { LfsSettings } from "./views/settings.tsx";

/** The page of large files and their locks, for repository administrators. */
export const lfsPages = (deps: LfsDeps): Route[] => [
  defineRoute({
    ...repositorySettingsPage,
    id: "lfsPage",
    method: "GET",
    path: "/{owner}/{repo}/settings/lfs",
    summary: "The Git LFS files and locks of a repository",
    handle: (request) => show(deps, request),
  }),
  defineRoute({
    ...repositorySettingsPage,
    id: "forceUnlock",
    method: "POST",
    path: "/{owner}/{repo}/settings/lfs/unlock",
    summary: "Remove a lock of any user",
    body: inPlace({ id: text() }),
    handle: async ({ actor, repository, body }) => {
      // A lock that is already gone is what the user wants.
      await unlock(deps, actor, repository, readId(body.id), true).catch((error: unknown) => {
        if (!isForgeError(error, "not_found")) throw error;
      });
      return savedAt(settingsPath(repository, "/lfs"));
    },
  }),
];

async function show(deps: LfsDeps, request: SettingsRequest): Promise<RawReply> {
  const { actor, repository, page, session } = request;
  const view = await getRepository(deps, actor, repository.id);
  const objects = await listObjects(deps, repository, page);
  const { locks, nextId } = await pageLocks(deps, repository, { id: undefined, path: undefined, fromId: 0, limit: maxLocksPerPage });
  const formToken = formTokenOf(requireSession(session));
  return renderRepositorySettings(
    { ...pageReader(request), repository: repositoryHeader(view), section: "lfs" },
    <LfsSettings {...{ repository, objects, page, locks, formToken }} hasMoreLocks={nextId !== undefined} now={deps.clock.now()} />,
  );
}
