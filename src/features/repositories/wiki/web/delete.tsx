import { repository } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { Confirmation, type RefusedName, submitConfirmed } from "../../../../http/confirmation.ts";
import { savedAt } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { repositorySettingsPage, type SettingsRequest } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { settingsPath } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import { repoSettingsTexts } from "../../repos/texts/texts.ts";
import { ConfirmedForm } from "../../repos/views/settings.tsx";
import type { WikiChangeDeps } from "../service/change.ts";
import { deleteWiki } from "../service/delete.ts";

const page = { ...repositorySettingsPage, access: repository.owner() } as const;
const path = "/{owner}/{repo}/settings/wiki/delete";

/** The page that deletes all data of a wiki. */
export const wikiDeletionPages = (deps: WikiChangeDeps): Route[] => [
  defineRoute({
    ...page,
    id: "deleteWikiPage",
    method: "GET",
    path,
    summary: "The confirmation page for deleting all data of a wiki",
    handle: (request) => show(deps, request),
  }),
  defineRoute({
    ...page,
    id: "deleteWiki",
    method: "POST",
    path,
    summary: "Delete all pages of a wiki and their history after the name of the repository was confirmed",
    body: Confirmation,
    handle: (request) => {
      const { actor, repository } = request;
      const end = async (): Promise<RawReply> => {
        await deleteWiki(deps, actor, repository);
        return savedAt(settingsPath(repository), "deleted");
      };
      return submitConfirmed(request, repository.fullName, end, (refused) => show(deps, request, refused));
    },
  }),
];

async function show(deps: WikiChangeDeps, request: SettingsRequest, refused?: RefusedName): Promise<RawReply> {
  const { actor, repository, session } = request;
  const reader = pageReader(request);
  const { danger } = textsFor(repoSettingsTexts, reader.languages);
  const props = {
    repository,
    action: settingsPath(repository, "/wiki/delete"),
    warning: danger.deleteWikiWarning(repository.fullName),
    label: danger.deleteWiki,
    typed: "",
    formToken: formTokenOf(requireSession(session)),
    ...refused,
  };
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  const title = danger.deleteWiki;
  return renderRepositoryPage(
    { ...reader, repository: header, tab: "settings", title, heading: title, isNarrow: "form" },
    <ConfirmedForm {...props} isDanger />,
  );
}
