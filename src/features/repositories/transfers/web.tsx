import type { UserActor } from "../../../access/actor.ts";
import { invalid } from "../../../core/errors.ts";
import { foldName } from "../../../core/names.ts";
import { repository, signedIn } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { Moved } from "../../../http/authorize.ts";
import { savedAt, seeOther, submit } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { type Refused, repositorySettingsPage, type SettingsRequest, settingsPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { accountPath, repositoryPath, settingsPath } from "../../../ui/addresses.ts";
import { renderPage } from "../../../ui/page.tsx";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../repos/header.ts";
import { getRepository } from "../repos/service/loaders.ts";
import { acceptTransfer, findWaiting, rejectTransfer, startTransfer, type TransferDeps, type Waiting } from "./service.ts";
import { transferTexts } from "./texts/texts.ts";
import { OfferView, TransferView } from "./views/transfer.tsx";

const TransferForm = inPlace({ new_owner: text() });
const NoFields = inPlace({});

const owners = { ...repositorySettingsPage, access: repository.owner() } as const;
/** The recipient need not have read access. */
const anybody = { ...settingsPage, tag: "repository", access: signedIn, scope: "repository" } as const;

/** The transfer pages for owners and recipients. */
export const transferPages = (deps: TransferDeps): Route[] => [
  defineRoute({
    ...owners,
    id: "transferPage",
    method: "GET",
    path: "/{owner}/{repo}/settings/transfer",
    summary: "The form for transferring a repository",
    handle: (request) => show(deps, request),
  }),
  defineRoute({
    ...owners,
    id: "giveAway",
    method: "POST",
    path: "/{owner}/{repo}/settings/transfer",
    summary: "Transfer a repository",
    body: TransferForm,
    handle: (request) => {
      const { actor, repository, body } = request;
      const start = async (): Promise<RawReply> => {
        const newOwner = body.new_owner.trim();
        // The API says that the new owner has a repository of this name.
        if (foldName(newOwner) === foldName(repository.ownerName)) throw invalid(`${newOwner} owns the repository`, { reason: "owner_unchanged" });
        const { isDone, view } = await startTransfer(deps, actor, repository, { newOwner, teamIds: [] });
        if (!isDone) return savedAt(settingsPath(repository, "/transfer"));
        return seeOther(view === undefined ? "/" : repositoryPath({ ownerName: view.owner.name, name: view.name }));
      };
      const again = (problem: Refused<string>["problem"]) => show(deps, request, { values: body.new_owner, problem });
      return submit(start, again, { field: "new_owner", also: ["not_found", "forbidden"] });
    },
  }),
  defineRoute({
    ...anybody,
    id: "transferOfferPage",
    method: "GET",
    path: "/{owner}/{repo}/transfer",
    summary: "The form for answering a transfer",
    handle: async (request) => {
      const { actor, params, session } = request;
      const { repository, pending, isRecipient } = await waiting(deps, actor, params);
      if (!isRecipient) return seeOther(settingsPath(repository, "/transfer"));
      const reader = pageReader(request);
      const title = textsFor(transferTexts, reader.languages).question;
      const props = { repository, recipient: pending.recipientName, formToken: formTokenOf(requireSession(session)) };
      return renderPage({ ...reader, title, isNarrow: "form" }, <OfferView {...props} />);
    },
  }),
  defineRoute({
    ...anybody,
    id: "takeOver",
    method: "POST",
    path: "/{owner}/{repo}/transfer/accept",
    summary: "Accept a pending repository transfer",
    body: NoFields,
    handle: async ({ actor, params }) => {
      const { owner, name } = await acceptTransfer(deps, actor, await waiting(deps, actor, params));
      return seeOther(repositoryPath({ ownerName: owner.name, name }));
    },
  }),
  defineRoute({
    ...anybody,
    id: "declineTransfer",
    method: "POST",
    path: "/{owner}/{repo}/transfer/reject",
    summary: "Reject or cancel a pending repository transfer",
    body: NoFields,
    handle: async ({ actor, params }) => {
      const found = await waiting(deps, actor, params);
      await rejectTransfer(deps, actor, found);
      return found.isRecipient ? seeOther(accountPath(actor.name)) : savedAt(settingsPath(found.repository));
    },
  }),
];

async function waiting(deps: TransferDeps, actor: UserActor, { owner, repo }: { readonly owner: string; readonly repo: string }): Promise<Waiting> {
  const found = await findWaiting(deps, actor, owner, repo);
  if ("subject" in found) return found.subject;
  const [newOwner = "", newName = ""] = found.movedTo.split("/");
  throw new Moved({ owner: newOwner, repo: newName }, found.isAccountRenamed ? 307 : 301);
}

async function show(deps: TransferDeps, request: SettingsRequest, refused?: Refused<string>): Promise<RawReply> {
  const { actor, repository, session } = request;
  const view = await getRepository(deps, actor, repository.id);
  const reader = pageReader(request);
  const { title } = textsFor(transferTexts, reader.languages);
  const props = {
    repository,
    waitsFor: view.transfer && (view.transfer.recipient?.name ?? "?"),
    newOwner: refused?.values ?? "",
    problem: refused?.problem,
    formToken: formTokenOf(requireSession(session)),
  };
  return renderRepositoryPage(
    { ...reader, repository: repositoryHeader(view), tab: "settings", title, heading: title, isNarrow: "form" },
    <TransferView {...props} />,
  );
}
