import type { UserActor } from "../../../access/actor.ts";
import { isForgeError, notFound } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { readId } from "../../../core/ids.ts";
import type { Db } from "../../../db/db.ts";
import { organization, signedIn } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, seeOther, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { settingsPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { organizationPath } from "../../../ui/addresses.ts";
import { accountPaths, renderAccountSettings, renderOrganizationSettings } from "../../../ui/settings.tsx";
import { choice, inPlace, text } from "../../../wire/schema.ts";
import { listOwnedRepositories, listOwnRepositories } from "../repos/service/search.ts";
import { type PinMove, type PinningAccount, pinMoves } from "./model.ts";
import { listPins, movePin, pinRepository, unpinRepository } from "./service.ts";
import { PinsView } from "./views/pins.tsx";

interface PinPageDeps {
  readonly db: Db;
}

const PinForm = inPlace({ repository: text() });
const MoveForm = inPlace({ id: text(), to: choice(...pinMoves) });
const UnpinForm = inPlace({ id: text() });

const own = { ...settingsPage, tag: "user", access: signedIn, scope: ["user", "repository"], refusesPublicOnly: true } as const;
const ownPath = accountPaths.pins;
const ofOrganization = { ...settingsPage, tag: "organization", access: organization.owner, scope: ["organization", "repository"] } as const;
const organizationPins = "/org/{org}/settings/pins";

const userOf = ({ id, name }: UserActor): PinningAccount => ({ id, name, kind: "user" });
const organizationOf = ({ id, name }: { readonly id: number; readonly name: string }): PinningAccount => ({ id, name, kind: "organization" });

/** The page of the caller's pinned repositories. */
export const userPinPages = (deps: PinPageDeps): Route[] => [
  defineRoute({
    ...own,
    id: "pinsPage",
    method: "GET",
    path: ownPath,
    summary: "The caller's pinned repositories",
    handle: (request) => show(deps, request, userOf(request.actor)),
  }),
  defineRoute({
    ...own,
    id: "pinRepository",
    method: "POST",
    path: ownPath,
    summary: "Pin a repository to the caller's profile",
    body: PinForm,
    handle: (request) => pin(deps, request, userOf(request.actor)),
  }),
  defineRoute({
    ...own,
    id: "movePin",
    method: "POST",
    path: `${ownPath}/move`,
    summary: "Move one of the caller's pinned repositories",
    body: MoveForm,
    handle: (request) => move(deps, request, userOf(request.actor)),
  }),
  defineRoute({
    ...own,
    id: "unpinRepository",
    method: "POST",
    path: `${ownPath}/remove`,
    summary: "Unpin a repository from the caller's profile",
    body: UnpinForm,
    handle: (request) => unpin(deps, request, userOf(request.actor)),
  }),
];

/** The page of an organization's pinned repositories. */
export const organizationPinPages = (deps: PinPageDeps): Route[] => [
  defineRoute({
    ...ofOrganization,
    id: "organizationPinsPage",
    method: "GET",
    path: organizationPins,
    summary: "The pinned repositories of an organization",
    handle: (request) => show(deps, request, organizationOf(request.organization)),
  }),
  defineRoute({
    ...ofOrganization,
    id: "pinRepositoryOfOrganization",
    method: "POST",
    path: organizationPins,
    summary: "Pin a repository to the profile of its organization",
    body: PinForm,
    handle: (request) => pin(deps, request, organizationOf(request.organization)),
  }),
  defineRoute({
    ...ofOrganization,
    id: "movePinOfOrganization",
    method: "POST",
    path: `${organizationPins}/move`,
    summary: "Move a pinned repository of an organization",
    body: MoveForm,
    handle: (request) => move(deps, request, organizationOf(request.organization)),
  }),
  defineRoute({
    ...ofOrganization,
    id: "unpinRepositoryOfOrganization",
    method: "POST",
    path: `${organizationPins}/remove`,
    summary: "Unpin a repository from the profile of its organization",
    body: UnpinForm,
    handle: (request) => unpin(deps, request, organizationOf(request.organization)),
  }),
];

type Request<Body> = PageRequest & { readonly actor: UserActor; readonly body: Body };

const pathOf = ({ kind, name }: PinningAccount): string => (kind === "user" ? ownPath : organizationPath(name, "/settings/pins"));

function pin(deps: PinPageDeps, request: Request<{ readonly repository: string }>, account: PinningAccount): Promise<RawReply> {
  const { actor, body } = request;
  const save = async (): Promise<RawReply> => {
    await pinRepository(deps, actor, account, body.repository).catch((error: unknown) => {
      throw isForgeError(error, "not_found") ? notFound(error.message, { reason: "repository_not_found" }) : error;
    });
    return savedAt(pathOf(account));
  };
  const again = (problem: FormProblem) => show(deps, request, account, { typed: body.repository, problem });
  return submit(save, again, { field: "repository", also: ["not_found"] });
}

async function move(deps: PinPageDeps, { actor, body }: Request<{ readonly id: string; readonly to: PinMove }>, account: PinningAccount): Promise<RawReply> {
  const repositoryId = readId(body.id);
  await movePin(deps, actor, account, { repositoryId, to: body.to });
  return seeOther(`${pathOf(account)}#pin-${repositoryId}`);
}

async function unpin(deps: PinPageDeps, { actor, body }: Request<{ readonly id: string }>, account: PinningAccount): Promise<RawReply> {
  await unpinRepository(deps, actor, account, readId(body.id));
  return savedAt(pathOf(account));
}

const someRepositories = { page: 1, limit: 50, offset: 0 };

interface Refused {
  readonly typed: string;
  readonly problem: FormProblem | undefined;
}

async function show(
  deps: PinPageDeps,
  request: PageRequest & { readonly actor: UserActor },
  account: PinningAccount,
  refused: Refused = { typed: "", problem: undefined },
): Promise<RawReply> {
  const { actor } = request;
  const pins = await listPins(deps, actor, account);
  const isUser = account.kind === "user";
  const { items } = await (isUser ? listOwnRepositories(deps, actor, someRepositories) : listOwnedRepositories(deps, actor, account.id, someRepositories));
  const pinned = new Set(pins.map(({ id }) => id));
  const offered = items.filter(({ id }) => !pinned.has(id)).map(({ owner, name }) => (isUser ? `${owner.name}/${name}` : name));
  const props = { account, path: pathOf(account), pins, offered, formToken: formTokenOf(requireSession(request.session)), ...refused };
  const reader = pageReader(request);
  return isUser
    ? renderAccountSettings({ ...reader, section: "pins" }, <PinsView {...props} />)
    : renderOrganizationSettings({ ...reader, organization: account, section: "pins" }, <PinsView {...props} />);
}
