import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { encodeSegment } from "../../../core/urls.ts";
import { accountPath } from "../../../ui/addresses.ts";
import { Pager } from "../../../ui/blocks.ts";
import { CheckBox, Field, Form, OptionalField, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { UserView } from "../../users/view.ts";

export interface UsersFacts {
  readonly path: string;
  readonly users: readonly UserView[];
  readonly total: number;
  readonly text: string;
  readonly page: Page;
}

/** Who has an account. */
export function UsersView({ path, users, total, text, page }: UsersFacts): Html {
  const { administration: texts, forms } = useTexts();
  return [
    h(
      "form",
      { class: "find", action: path, role: "search" },
      h("input", { type: "search", name: "q", value: text, "aria-label": texts.find, placeholder: texts.find }),
      h("button", { type: "submit" }, texts.findButton),
      h("a", { class: "button", href: `${path}/new` }, texts.newUser),
    ),
    h("p", { class: "soft" }, texts.count(total)),
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
          h("div", { class: "soft" }, user.email, ", ", texts.lastLogin, " ", user.lastLoginMs === 0 ? forms.never : h(Day, { ms: user.lastLoginMs })),
        ),
      ),
    ),
    h(Pager, { path, query: { q: text }, page, total }),
  ];
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
    ["restricted", texts.restricted],
    ["prohibit_login", texts.prohibited],
  ] as const;
  return h(
    Form,
    { action, formToken, problem },
    isNew && h(Field, { name: "username", label: texts.name, value: values.username, autocomplete: "off", hasFocus: true }),
    h(OptionalField, { name: "full_name", label: texts.fullName, value: values.full_name }),
    h(Field, { name: "email", label: texts.email, value: values.email, type: "email", autocomplete: "off" }),
    isNew && [
      h(Field, { name: "password", label: texts.password, type: "password", hint: texts.passwordHint, autocomplete: "new-password" }),
      h(CheckBox, { name: "must_change_password", label: texts.mustChange, isChecked: values.must_change_password }),
    ],
    !isNew && switches.map(([name, label]) => h(CheckBox, { name, label, isChecked: values[name] })),
    h(Submit, { label: isNew ? forms.add : forms.save }),
  );
}
