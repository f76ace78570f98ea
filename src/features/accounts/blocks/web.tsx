import type { UserActor } from "../../../access/actor.ts";
import { invalid } from "../../../core/errors.ts";
import type { Page } from "../../../core/paging.ts";
import type { Db } from "../../../db/db.ts";
import { type Access, organization, type SubjectsOf, signedIn } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { organizationPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import type { RenderedPage } from "../../../ui/page.tsx";
import { accountPaths, renderAccountSettings, renderOrganizationSettings } from "../../../ui/settings.tsx";
import { inPlace, text } from "../../../wire/schema.ts";
import { type Blocker, listBlocked } from "../users/service/blocks.ts";
import { block, unblock } from "./service.ts";
import { BlockedView, type BlockValues } from "./views/blocked.tsx";

interface BlockPageDeps {
  readonly db: Db;
}

/** Block pages; those of users and of organizations are alike. */
interface BlockPages<A extends Access> {
  /** Suffix of the route names. */
  readonly id: "" | "OfOrganization";
  readonly path: string;
  readonly of: string;
  readonly access: A;
  readonly subject: "user" | "organization";
  readonly blocker: (given: SubjectsOf<A>) => BlockingAccount;
}

/** The blocker of one request. */
interface BlockingAccount {
  readonly actor: UserActor;
  readonly blocker: Blocker;
  readonly path: string;
  readonly frame: (request: PageRequest, content: Html) => RenderedPage;
}

const own: BlockPages<typeof signedIn> = {
  id: "",
  path: accountPaths.blocked,
  of: "the caller",
  access: signedIn,
  subject: "user",
  blocker: ({ actor }) => ({
    actor,
    blocker: { id: actor.id, name: actor.name, kind: "user" },
    path: accountPaths.blocked,
    frame: (request, content) => renderAccountSettings({ ...pageReader(request), section: "blocked" }, content),
  }),
};

const ofOrganization: BlockPages<typeof organization.owner> = {
  id: "OfOrganization",
  path: "/org/{org}/settings/blocked_users",
  of: "an organization",
  access: organization.owner,
  subject: "organization",
  blocker: ({ actor, organization: { id, name } }) => ({
    actor,
    blocker: { id, name, kind: "organization" },
    path: organizationPath(name, "/settings/blocked_users"),
    frame: (request, content) => renderOrganizationSettings({ ...pageReader(request), organization: { name }, section: "blocked" }, content),
  }),
};

const BlockForm = inPlace({ name: text(), note: text() });
const NameForm = inPlace({ name: text() });

/** Pages of users' and organizations' blocks. */
export const blockPages = (deps: BlockPageDeps): Route[] => [...pagesOf(deps, own), ...pagesOf(deps, ofOrganization)];

function pagesOf<A extends Access>(deps: BlockPageDeps, { id, path, of, access, subject, blocker }: BlockPages<A>): Route[] {
  const page = { ...settingsPage, tag: subject, scope: subject, access, refusesPublicOnly: subject === "user" } as const;
  const blockerOf = (request: SubjectsOf<A>): BlockingAccount => blocker(request);
  return [
    defineRoute({
      ...page,
      id: `blockedUsersPage${id}`,
      method: "GET",
      path,
      summary: `Users whom ${of} blocks`,
      handle: (request) => show(deps, request, blockerOf(request)),
    }),
    defineRoute({
      ...page,
      id: `blockByForm${id}`,
      method: "POST",
      path,
      summary: `Block a user for ${of}`,
      body: BlockForm,
      handle: (request) => {
        const { body } = request;
        const at = blockerOf(request);
        const add = async (): Promise<RawReply> => {
          const name = body.name.trim();
          if (name === "") throw invalid("[Name]: Required", { reason: "required" });
          await block(deps, at.actor, at.blocker, { name, note: body.note.trim() });
          return savedAt(at.path);
        };
        return submit(add, (problem) => show(deps, request, at, { values: body, problem }), { field: "name", also: ["not_found"] });
      },
    }),
    defineRoute({
      ...page,
      id: `unblockByForm${id}`,
      method: "POST",
      path: `${path}/remove`,
      summary: `Unblock a user for ${of}`,
      body: NameForm,
      handle: async (request) => {
        const at = blockerOf(request);
        await unblock(deps, at.actor, at.blocker, request.body.name);
        return savedAt(at.path);
      },
    }),
  ];
}

type BlockRequest = Omit<PageRequest, "actor"> & { readonly page: Page };

async function show(deps: BlockPageDeps, request: BlockRequest, at: BlockingAccount, refused?: Refused<BlockValues>): Promise<RawReply> {
  const { actor, blocker, path, frame } = at;
  const { page, session } = request;
  const { items, total } = await listBlocked(deps, actor, blocker.id, page);
  const whose = { kind: blocker.kind, path, users: items, total, page };
  const props = { ...whose, values: { name: "", note: "" }, formToken: formTokenOf(requireSession(session)), ...refused };
  return frame({ ...request, actor }, <BlockedView {...props} />);
}
