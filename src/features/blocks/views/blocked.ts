import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { accountPath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Field, Form, OptionalField, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { FormToken } from "../../../ui/page.ts";
import { Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { UserView } from "../../users/view.ts";

export interface BlockValues {
  readonly name: string;
  readonly note: string;
}

export interface BlockedFacts {
  /** Who keeps them away. */
  readonly kind: "user" | "organization";
  readonly path: string;
  readonly users: readonly UserView[];
  readonly total: number;
  readonly page: Page;
  readonly values: BlockValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** Whom somebody keeps away, and the form to keep away somebody more. */
export function BlockedView({ kind, path, users, total, page, values, problem, formToken }: BlockedFacts): Html {
  const { blocked: texts } = useTexts().account;
  return [
    users.length === 0
      ? h(Empty, { icon: "circle-slash", title: texts.none[kind] }, h("p", null, texts.hint[kind]))
      : h(
          Rows,
          null,
          users.map(({ name, fullName }) =>
            h(
              Row,
              { action: h(Unblock, { path, name, formToken }) },
              h("a", { href: accountPath(name) }, h("strong", null, name)),
              fullName !== "" && h("span", { class: "soft" }, ` ${fullName}`),
            ),
          ),
        ),
    h(Pager, { path, page, total }),
    h(
      "section",
      null,
      h("h2", null, texts.add),
      h(
        Form,
        { action: path, formToken, problem },
        h(Field, { name: "name", label: texts.name, value: values.name, autocomplete: "off" }),
        h(OptionalField, { name: "note", label: texts.note, hint: texts.noteHint, value: values.note }),
        h(Submit, { label: texts.block, isDanger: true }),
      ),
    ),
  ];
}

function Unblock({ path, name, formToken }: { readonly path: string; readonly name: string; readonly formToken: string }): Html {
  const { blocked: texts } = useTexts().account;
  return h(
    "form",
    { method: "post", action: `${path}/remove` },
    h(FormToken, { value: formToken }),
    h("input", { type: "hidden", name: "name", value: name }),
    h("button", { type: "submit", "aria-label": `${texts.unblock}: ${name}` }, texts.unblock),
  );
}
