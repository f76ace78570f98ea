import { h } from "preact";
import type { UserActor } from "../../../access/actor.ts";
import { account, siteAdmin } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { readOption, savedAt, seeOther, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../http/page-route.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import type { Html } from "../../../ui/html.ts";
import { renderAdministration } from "../../../ui/settings.ts";
import { textsFor } from "../../../ui/texts/texts.ts";
import { bool, inPlace, text } from "../../../wire/schema.ts";
import { CreateUserOption } from "../../../wire/user.ts";
import { type AccountDeps, createUser, editUser, getUser, requireUserAccount } from "../../users/service/accounts.ts";
import { searchUsers } from "../../users/service/search.ts";
import { UserForm, UsersView, type UserValues } from "../views/users.ts";

const fields = { username: text(), full_name: text(), email: text() };
const NewUserFields = inPlace({ ...fields, password: text(), must_change_password: bool() });
const UserFields = inPlace({ ...fields, active: bool(), admin: bool(), restricted: bool(), prohibit_login: bool() });

const page = { ...settingsPage, tag: "admin", scope: "admin", access: siteAdmin } as const;
const path = "/-/admin/users";

/** Accounts, as administrators see them. */
export const adminUserPages = (deps: AccountDeps): Route[] => [
  defineRoute({ ...page, id: "administrationPage", method: "GET", path: "/-/admin", summary: "The administration", handle: () => seeOther(path) }),
  defineRoute({
    ...page,
    id: "adminUsersPage",
    method: "GET",
    path,
    summary: "Who has an account",
    query: { q: query.text("Part of a name or an address") },
    handle: async (request) => {
      const text = request.query.q ?? "";
      const { items, total } = await searchUsers(deps, request.actor, { text }, request.page);
      return show(request, h(UsersView, { path, users: items, total, text, page: request.page }));
    },
  }),
  defineRoute({
    ...page,
    id: "adminNewUserPage",
    method: "GET",
    path: `${path}/new`,
    summary: "The form of an account",
    handle: (request) => newPage(request, { values: nobody, problem: undefined }),
  }),
  defineRoute({
    ...page,
    id: "adminCreateUserByForm",
    method: "POST",
    path: `${path}/new`,
    summary: "Make an account",
    body: NewUserFields,
    handle: (request) => {
      const { actor, body } = request;
      const make = async (): Promise<RawReply> => {
        const {
          username: name,
          full_name: fullName,
          email,
          password,
        } = readOption(CreateUserOption, {
          username: body.username.trim(),
          full_name: body.full_name,
          email: body.email.trim(),
          password: body.password,
        });
        const rest = { loginName: "", sourceId: 0, isRestricted: false, visibility: "public", createdMs: null } as const;
        await createUser(deps, actor, { name, fullName, email, password, mustChangePassword: body.must_change_password, ...rest });
        return savedAt(path);
      };
      return submit(make, (problem) => newPage(request, { values: { ...nobody, ...body }, problem }), { field: "username" });
    },
  }),
  defineRoute({
    ...page,
    access: account.siteAdmin,
    id: "adminUserPage",
    method: "GET",
    path: `${path}/{username}`,
    summary: "One account",
    handle: (request) => userPage(deps, request, requireUserAccount(request.account)),
  }),
  defineRoute({
    ...page,
    access: account.siteAdmin,
    id: "adminChangeUserByForm",
    method: "POST",
    path: `${path}/{username}`,
    summary: "Change an account",
    body: UserFields,
    handle: async (request) => {
      const { actor, account, body } = request;
      const { loginName, sourceId } = await getUser(deps, requireUserAccount(account).id);
      const save = async (): Promise<RawReply> => {
        const changes = { email: body.email.trim(), fullName: body.full_name, isActive: body.active, isAdmin: body.admin, isRestricted: body.restricted };
        await editUser(deps, actor, account, { ...unchanged, ...changes, loginName, sourceId, prohibitLogin: body.prohibit_login });
        return savedAt(path);
      };
      return submit(save, (problem) => userPage(deps, request, account, { values: { ...nobody, ...body }, problem }));
    },
  }),
];

const nobody: UserValues = {
  username: "",
  full_name: "",
  email: "",
  must_change_password: true,
  active: true,
  admin: false,
  restricted: false,
  prohibit_login: false,
};

const unchanged = {
  password: null,
  website: null,
  location: null,
  description: null,
  visibility: null,
  mustChangePassword: null,
  allowCreateOrganization: null,
  maxRepoCreation: null,
} as const;

type AdminRequest = PageRequest & { readonly actor: UserActor };

const tokenOf = ({ session }: AdminRequest): string => formTokenOf(requireSession(session));
const show = (request: AdminRequest, ...content: readonly Html[]): RawReply => renderAdministration({ ...pageReader(request), section: "users" }, ...content);

async function newPage(request: AdminRequest, filled: { readonly values: UserValues; readonly problem: Refused<UserValues>["problem"] | undefined }) {
  const { newUser } = textsFor(pageReader(request).languages).administration;
  return show(request, h("h2", null, newUser), h(UserForm, { action: `${path}/new`, isNew: true, formToken: tokenOf(request), ...filled }));
}

async function userPage(
  deps: AccountDeps,
  request: AdminRequest,
  { id, name }: { readonly id: number; readonly name: string },
  refused?: Refused<UserValues>,
): Promise<RawReply> {
  const { fullName, email, isActive, isAdmin, isRestricted, prohibitLogin } = await getUser(deps, id);
  const values = { ...nobody, full_name: fullName, email, active: isActive, admin: isAdmin, restricted: isRestricted, prohibit_login: prohibitLogin };
  const facts = { action: `${path}/${encodeURIComponent(name)}`, isNew: false, values, formToken: tokenOf(request), ...refused };
  return show(request, h("h2", null, name), h(UserForm, facts));
}
