import { h } from "preact";
import type { UserActor } from "../../access/actor.ts";
import { invalid } from "../../core/errors.ts";
import type { Page } from "../../core/paging.ts";
import type { Db } from "../../db/db.ts";
import { signedIn } from "../../http/access.ts";
import type { RawReply } from "../../http/answers.ts";
import { savedAt, submit } from "../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../http/page-route.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import { formTokenOf, requireSession } from "../../http/session-cookie.ts";
import { renderAccountSettings } from "../../ui/settings.ts";
import { inPlace, text } from "../../wire/schema.ts";
import { type Blocker, listBlocked } from "../users/service/blocks.ts";
import { block, unblock } from "./service.ts";
import { BlockedView, type BlockValues } from "./views/blocked.ts";

interface BlockPageDeps {
  readonly db: Db;
}

const BlockForm = inPlace({ name: text(), note: text() });
const NameForm = inPlace({ name: text() });
const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = "/user/settings/blocked_users";

/** Whom the caller keeps away. */
export const blockPages = (deps: BlockPageDeps): Route[] => [
  defineRoute({ ...page, id: "blockedUsersPage", method: "GET", path, summary: "Users whom the caller blocks", handle: (request) => show(deps, request) }),
  defineRoute({
    ...page,
    id: "blockByForm",
    method: "POST",
    path,
    summary: "Block a user",
    body: BlockForm,
    handle: (request) => {
      const { actor, body } = request;
      const add = async (): Promise<RawReply> => {
        const name = body.name.trim();
        if (name === "") throw invalid("[Name]: Required");
        await block(deps, actor, own(actor), { name, note: body.note.trim() });
        return savedAt(path);
      };
      return submit(add, (problem) => show(deps, request, { values: body, problem }), { field: "name", also: ["not_found"] });
    },
  }),
  defineRoute({
    ...page,
    id: "unblockByForm",
    method: "POST",
    path: `${path}/remove`,
    summary: "Block a user no more",
    body: NameForm,
    handle: async ({ actor, body }) => {
      await unblock(deps, actor, own(actor), body.name);
      return savedAt(path);
    },
  }),
];

const own = ({ id, name }: UserActor): Blocker => ({ id, name, kind: "user" });

type OwnRequest = PageRequest & { readonly actor: UserActor; readonly page: Page };

async function show(deps: BlockPageDeps, request: OwnRequest, refused?: Refused<BlockValues>): Promise<RawReply> {
  const { actor, page, session } = request;
  const { items, total } = await listBlocked(deps, actor, actor.id, page);
  const facts = { path, users: items, total, page, values: { name: "", note: "" }, formToken: formTokenOf(requireSession(session)), ...refused };
  return renderAccountSettings({ ...pageReader(request), section: "blocked" }, h(BlockedView, facts));
}
