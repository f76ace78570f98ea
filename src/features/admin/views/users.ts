import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { encodeSegment } from "../../../core/urls.ts";
import { accountPath, withQuery } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { CheckBox, Choice, Field, Form, OptionalField, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Row, Rows } from "../../../ui/rows.ts";
import { administrationPaths } from "../../../ui/settings.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { UserView } from "../../users/view.ts";
import type { Possessions } from "../view.ts";
import { Find } from "./find.ts";

export interface UsersFacts {
  readonly path: string;
  readonly users: readonly UserView[];
  readonly total: number;
  readonly asked: { readonly q: string; readonly kind: string; readonly sort: string };
  readonly page: Page;
}

/** Who has an account. */
export function UsersView({ path, users, total, asked, page }: UsersFacts): Html {
  const { administration: texts, forms } = useTexts();
  const choices = [
    { name: "kind", label: texts.which, value: asked.kind, options: Object.entries(texts.kinds) },
    { name: "sort", label: texts.sort, value: asked.sort, options: Object.entries(texts.userSorts) },
  ];
  return [
    h(Find, { path, text: asked.q, label: texts.find, choices }, h("a", { class: "button", href: `${path}/new` }, texts.newUser)),
    h("p", { class: "soft" }, texts.count(total)),
    users.length === 0 && h(Empty, { icon: "person", title: texts.noUsers }, h("p", null, h("a", { href: path }, texts.kinds[""]))),
    h(
      Rows,
      null,
      users.map((user) =>
        h(
          Row,
          { action: h("a", { class: "button", href: `${path}/${encodeSegment(user.name)}`, "aria-label": `${forms.edit}: ${user.name}` }, forms.edit) },
          h("a", { href: accountPath(user.name) }, h("strong", null, user.name)),
          h("span", { class: "soft" }, ` ${user.fullName} `),
          h(Marks, user),
          h(
            "div",
            { class: "soft" },
            user.email,
            ", ",
            user.lastLoginMs === 0 ? texts.neverSignedIn : [texts.lastLogin, " ", h(Day, { ms: user.lastLoginMs })],
          ),
        ),
      ),
    ),
    h(Pager, { path, query: asked, page, total }),
  ];
}

/** Where more of an account is to be seen. */
export function UserLinks({ name }: { readonly name: string }): Html {
  const { administration: texts } = useTexts();
  return h(
    "p",
    null,
    h("a", { href: accountPath(name) }, texts.profileOf(name)),
    " · ",
    h("a", { href: withQuery(administrationPaths.audit, { actor: name }) }, texts.doneBy),
    " · ",
    h("a", { href: withQuery(administrationPaths.audit, { account: name }) }, texts.doneTo),
  );
}

function Marks({ isAdmin, isActive, isRestricted, prohibitLogin }: UserView): Html {
  const { marks } = useTexts().administration;
  const words = [isAdmin && marks.admin, !isActive && marks.inactive, isRestricted && marks.restricted, prohibitLogin && marks.prohibited];
  return words.filter((word) => word !== false).map((word) => h("span", { class: "badge" }, word));
}

export interface UserValues {
  readonly username: string;
  readonly full_name: string;
  readonly email: string;
  readonly visibility: string;
  readonly must_change_password: boolean;
  readonly active: boolean;
  readonly admin: boolean;
  readonly restricted: boolean;
  readonly prohibit_login: boolean;
}

export interface UserFormFacts {
  readonly action: string;
  readonly isNew: boolean;
  readonly values: UserValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** Somebody's account, as administrators decide about it. */
export function UserForm({ action, isNew, values, problem, formToken }: UserFormFacts): Html {
  const { administration: texts, forms } = useTexts();
  const switches = [
    ["active", texts.active],
    ["admin", texts.admin],
    ["prohibit_login", texts.prohibited],
  ] as const;
  const password = isNew
    ? { label: texts.password, hint: texts.passwordHint }
    : { label: texts.newPassword, hint: `${texts.newPasswordHint} ${texts.passwordHint}`, isOptional: true };
  return h(
    Form,
    { action, formToken, problem },
    isNew && h(Field, { name: "username", label: texts.name, value: values.username, autocomplete: "off", hasFocus: true }),
    h(OptionalField, { name: "full_name", label: texts.fullName, value: values.full_name }),
    h(Field, { name: "email", label: texts.email, value: values.email, type: "email", autocomplete: "off" }),
    h(Choice, { name: "visibility", label: texts.visibility, value: values.visibility, options: Object.entries(texts.visibilities) }),
    h(CheckBox, { name: "restricted", label: texts.restricted, isChecked: values.restricted }),
    !isNew && switches.map(([name, label]) => h(CheckBox, { name, label, isChecked: values[name] })),
    h(Field, { name: "password", type: "password", autocomplete: "new-password", ...password }),
    h(CheckBox, { name: "must_change_password", label: texts.mustChange, isChecked: values.must_change_password }),
    h(Submit, { label: isNew ? forms.add : forms.save }),
  );
}

/** A form of one field that was refused. */
export interface RefusedName {
  readonly typed: string;
  readonly problem: FormProblem;
}

export interface RenameFacts {
  /** The address of the account's page. */
  readonly action: string;
  readonly name: string;
  readonly refused?: RefusedName | undefined;
  readonly formToken: string;
}

/** Another name for an account, and the way to its end. */
export function RenameForm({ action, name, refused, formToken }: RenameFacts): Html {
  const { administration: texts } = useTexts();
  return [
    h(
      "section",
      null,
      h("h2", null, texts.rename),
      h(
        Form,
        { action: `${action}/rename`, formToken, name: "rename", problem: refused?.problem },
        h(Field, { name: "new_name", label: texts.newName, value: refused?.typed ?? name, hint: texts.renameHint, autocomplete: "off" }),
        h(Submit, { label: texts.rename }),
      ),
    ),
    h(
      "section",
      null,
      h("h2", null, texts.deleteUser),
      h("p", { class: "soft" }, texts.deleteHint),
      h("a", { class: "button", href: `${action}/delete` }, texts.deleteUser),
    ),
  ];
}

export interface DeleteUserFacts {
  readonly action: string;
  readonly name: string;
  readonly possessions: Possessions;
  /** Nobody deletes himself. */
  readonly isViewer: boolean;
  readonly refused?: RefusedName | undefined;
  readonly formToken: string;
}

/** What goes with an account, and the last word on it. */
export function DeleteUserView({ action, name, possessions, isViewer, refused, formToken }: DeleteUserFacts): Html {
  const { administration: texts, organizations } = useTexts();
  const { repositories, organizations: alone } = possessions;
  if (isViewer) return h("p", { class: "notice" }, texts.isSelf);
  return [
    repositories.total + alone.total === 0
      ? h("p", null, texts.ownsNothing)
      : [
          h("p", null, texts.goes),
          h(
            "ul",
            null,
            repositories.total > 0 && h("li", null, texts.repositoriesGo(repositories.total), h(Names, repositories)),
            alone.total > 0 && h("li", null, texts.organizationsGo(alone.total), h(Names, alone)),
          ),
        ],
    h(
      Form,
      { action, formToken, problem: refused?.problem },
      h(Field, { name: "confirmation", label: organizations.confirm(name), value: refused?.typed ?? "", autocomplete: "off" }),
      h(Submit, { label: texts.deleteUser, isDanger: true }),
    ),
  ];
}

function Names({ names, total }: Possessions["repositories"]): Html {
  const { administration: texts } = useTexts();
  return h(
    "ul",
    null,
    names.map((name) => h("li", null, h("a", { href: `/${name}` }, name))),
    total > names.length && h("li", null, texts.andMore(total - names.length)),
  );
}
