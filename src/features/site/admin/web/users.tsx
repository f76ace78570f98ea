import type { Static } from "typebox";
import { isSelf } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { encodeSegment } from "../../../../core/urls.ts";
import { account } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { Confirmation, type RefusedName, submitConfirmed } from "../../../../http/confirmation.ts";
import { readOption, savedAt, submit } from "../../../../http/form-submit.ts";
import type { Refused } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { administrationPaths } from "../../../../ui/settings.tsx";
import { bool, inPlace, text } from "../../../../wire/schema.ts";
import { CreateUserOption, EditUserOption } from "../../../../wire/user.ts";
import {
  type AccountDeps,
  checkFirstPassword,
  createUser,
  editUser,
  getUser,
  renameUser,
  requireUserAccount,
} from "../../../accounts/users/service/accounts.ts";
import { listEmails } from "../../../accounts/users/service/emails.ts";
import { searchUsers, type UserQuery } from "../../../accounts/users/service/search.ts";
import { getTwoFactor, removeTwoFactorOf } from "../../../accounts/users/service/two-factor.ts";
import { purgeUser } from "../service/delete-user.ts";
import { addEmailOf, removeEmailOf } from "../service/emails.ts";
import { listPossessions } from "../service/possessions.ts";
import { UserAccess } from "../views/user-access.tsx";
import { DeleteUserView, RenameForm, UserForm, UserLinks, UsersView, type UserValues } from "../views/users.tsx";
import { type AdminRequest, adminPage, show, textsOf, tokenOf } from "./frame.ts";

const UserFields = inPlace({
  username: text(),
  full_name: text(),
  email: text(),
  password: text(lengths.password),
  visibility: text(),
  must_change_password: bool(),
  active: bool(),
  admin: bool(),
  restricted: bool(),
  prohibit_login: bool(),
});
const RenameFields = inPlace({ new_name: text(lengths.accountName) });
const EmailField = inPlace({ email: text() });
const NoFields = inPlace({});

const path = administrationPaths.users;
const one = `${path}/{username}` as const;
const ofUser = { ...adminPage, access: account.siteAdmin } as const;

/** The filters of the list. */
const kinds: Readonly<Record<string, Partial<UserQuery>>> = {
  admin: { isAdmin: true },
  inactive: { isActive: false },
  restricted: { isRestricted: true },
  prohibited: { prohibitLogin: true },
  "two-factor": { hasSecondFactor: true },
  "no-two-factor": { hasSecondFactor: false },
};

/** Account pages for administrators. */
export const adminUserPages = (deps: AccountDeps): Route[] => [
  defineRoute({
    ...adminPage,
    id: "adminUsersPage",
    method: "GET",
    path,
    summary: "All accounts",
    query: { q: query.text("Part of a name or an address"), kind: query.text("Which"), sort: query.text("In which order") },
    handle: async (request) => {
      const { q = "", kind = "", sort = "" } = request.query;
      const { items, total } = await searchUsers(deps, request.actor, { text: q, sort, ...kinds[kind] }, request.page);
      return show(request, "users", <UsersView path={path} users={items} total={total} requested={{ q, kind, sort }} page={request.page} />);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "adminNewUserPage",
    method: "GET",
    path: `${path}/new`,
    summary: "The form for an account",
    handle: (request) => newPage(request, { values: emptyUser, problem: undefined }),
  }),
  defineRoute({
    ...adminPage,
    id: "adminCreateUserByForm",
    method: "POST",
    path: `${path}/new`,
    summary: "Make an account",
    body: UserFields,
    handle: (request) => {
      const { actor, body } = request;
      const make = async (): Promise<RawReply> => {
        const typed = { ...body, username: body.username.trim(), email: body.email.trim() };
        const { username: name, full_name: fullName, email, password, visibility } = readOption(CreateUserOption, typed);
        const rest = { loginName: "", sourceId: 0, createdMs: null } as const;
        const isRestricted = body.restricted;
        const shown = visibility || "public";
        await createUser(deps, actor, {
          ...rest,
          name,
          fullName,
          email,
          password,
          isRestricted,
          visibility: shown,
          mustChangePassword: body.must_change_password,
        });
        return savedAt(pathOf({ name }));
      };
      return submit(make, (problem) => newPage(request, { values: body, problem }), {
        field: "username",
        checks: { password: () => checkFirstPassword(body.password) },
      });
    },
  }),
  defineRoute({
    ...ofUser,
    id: "adminUserPage",
    method: "GET",
    path: one,
    summary: "One account",
    handle: (request) => userPage(deps, request, requireUserAccount(request.account)),
  }),
  defineRoute({
    ...ofUser,
    id: "adminChangeUserByForm",
    method: "POST",
    path: one,
    summary: "Change an account",
    body: UserFields,
    handle: async (request) => {
      const { actor, account, body } = request;
      const { loginName, sourceId } = await getUser(deps, requireUserAccount(account).id);
      const save = async (): Promise<RawReply> => {
        await editUser(deps, actor, account, { ...changesOf(body, account), loginName, sourceId });
        return savedAt(pathOf(account));
      };
      const again = (problem: FormProblem) => userPage(deps, request, account, { form: { values: body, problem } });
      return submit(save, again, { fieldOf: { last_administrator: endOfAdministration(body) } });
    },
  }),
  defineRoute({
    ...ofUser,
    id: "adminRenameUserByForm",
    method: "POST",
    path: `${one}/rename`,
    summary: "Rename an account",
    body: RenameFields,
    handle: (request) => {
      const { actor, body } = request;
      const account = requireUserAccount(request.account);
      const typed = body.new_name.trim();
      const rename = async (): Promise<RawReply> => {
        await renameUser(deps, actor, account, typed);
        return savedAt(pathOf({ name: typed }));
      };
      return submit(rename, (problem) => userPage(deps, request, account, { name: { typed, problem } }), { field: "new_name" });
    },
  }),
  defineRoute({
    ...ofUser,
    id: "adminAddEmailByForm",
    method: "POST",
    path: `${one}/emails`,
    summary: "Add an address to an account",
    body: EmailField,
    handle: (request) => {
      const account = requireUserAccount(request.account);
      const typed = request.body.email.trim();
      const add = async (): Promise<RawReply> => {
        await addEmailOf(deps, request.actor, account, typed);
        return savedAt(pathOf(account));
      };
      return submit(add, (problem) => userPage(deps, request, account, { email: { typed, problem } }), { field: "email" });
    },
  }),
  defineRoute({
    ...ofUser,
    id: "adminRemoveEmailByForm",
    method: "POST",
    path: `${one}/emails/remove`,
    summary: "Remove an address from an account",
    body: EmailField,
    handle: async ({ actor, account, body }) => {
      await removeEmailOf(deps, actor, requireUserAccount(account), body.email);
      return savedAt(pathOf(account), "removed");
    },
  }),
  defineRoute({
    ...ofUser,
    id: "adminRemoveTwoFactorByForm",
    method: "POST",
    path: `${one}/two_factor/remove`,
    summary: "Remove the second factor of a user who has lost it",
    body: NoFields,
    handle: async ({ actor, account }) => {
      await removeTwoFactorOf(deps, actor, requireUserAccount(account));
      return savedAt(pathOf(account), "removed");
    },
  }),
  defineRoute({
    ...ofUser,
    id: "adminDeleteUserPage",
    method: "GET",
    path: `${one}/delete`,
    summary: "Possessions deleted with an account",
    handle: (request) => deletePage(deps, request, requireUserAccount(request.account)),
  }),
  defineRoute({
    ...ofUser,
    id: "adminDeleteUserByName",
    method: "POST",
    path: `${one}/delete`,
    summary: "Delete an account after its name is entered, with everything that it owns",
    body: Confirmation,
    handle: (request) => {
      const account = requireUserAccount(request.account);
      const end = async (): Promise<RawReply> => {
        await purgeUser(deps, request.actor, account);
        return savedAt(path, "deleted");
      };
      return submitConfirmed(request, account.name, end, (refused) => deletePage(deps, request, account, refused));
    },
  }),
];

const pathOf = ({ name }: { readonly name: string }): string => `${path}/${encodeSegment(name)}`;

const emptyUser: UserValues = {
  username: "",
  full_name: "",
  email: "",
  visibility: "public",
  must_change_password: true,
  active: true,
  admin: false,
  restricted: false,
  prohibit_login: false,
};

const unchanged = { website: null, location: null, description: null, allowCreateOrganization: null, maxRepoCreation: null } as const;

/** The box that would end the work of an administrator. */
const endOfAdministration = ({ admin, active }: Static<typeof UserFields>): string => (!admin ? "admin" : active ? "prohibit_login" : "active");

/** An unchecked box is false; an empty password keeps the current one. */
function changesOf(typed: Static<typeof UserFields>, { name }: AccountSubject) {
  const { email, full_name: fullName, visibility: shown } = typed;
  const { visibility } = readOption(EditUserOption, { login_name: name, source_id: 0, email: email.trim(), full_name: fullName, visibility: shown });
  return {
    ...unchanged,
    email: email.trim(),
    fullName,
    visibility: visibility || null,
    isActive: typed.active,
    isAdmin: typed.admin,
    isRestricted: typed.restricted,
    prohibitLogin: typed.prohibit_login,
    password: typed.password === "" ? null : typed.password,
    mustChangePassword: typed.password === "" ? null : typed.must_change_password,
  };
}

async function newPage(
  request: AdminRequest,
  filled: { readonly values: UserValues; readonly problem: Refused<UserValues>["problem"] | undefined },
): Promise<RawReply> {
  const form = <UserForm action={`${path}/new`} isNew formToken={tokenOf(request)} {...filled} />;
  return show(request, "users", <h2>{textsOf(request).newUser}</h2>, form);
}

/** The forms on an account's page that can be refused. */
interface RefusedForms {
  readonly form?: Refused<UserValues>;
  readonly name?: RefusedName;
  readonly email?: RefusedName;
}

async function userPage(deps: AccountDeps, request: AdminRequest, { id, name }: AccountSubject, refused: RefusedForms = {}): Promise<RawReply> {
  const user = await getUser(deps, id);
  const values: UserValues = {
    ...emptyUser,
    full_name: user.fullName,
    email: user.email,
    visibility: user.visibility,
    active: user.isActive,
    admin: user.isAdmin,
    restricted: user.isRestricted,
    prohibit_login: user.prohibitLogin,
  };
  const action = pathOf({ name });
  const formToken = tokenOf(request);
  const emails = await listEmails(deps, { id });
  const twoFactor = await getTwoFactor(deps, { id });
  return show(
    request,
    "users",
    <h2>{name}</h2>,
    <UserLinks name={name} />,
    <UserForm action={action} isNew={false} values={values} formToken={formToken} {...refused.form} />,
    <UserAccess action={action} emails={emails} twoFactor={twoFactor} refused={refused.email} formToken={formToken} />,
    <RenameForm action={action} name={name} refused={refused.name} formToken={formToken} />,
  );
}

async function deletePage(deps: AccountDeps, request: AdminRequest, { id, name }: AccountSubject, refused?: RefusedName): Promise<RawReply> {
  const possessions = await listPossessions(deps, request.actor, id);
  const props = { action: `${pathOf({ name })}/delete`, name, possessions, isViewer: isSelf(request.actor, id), refused, formToken: tokenOf(request) };
  return show(request, "users", <h2>{textsOf(request).deleteTitle(name)}</h2>, <DeleteUserView {...props} />);
}
