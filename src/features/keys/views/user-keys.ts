import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Field, Form, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { PublicKeyView } from "../view.ts";

export interface NewUserKey {
  readonly title: string;
  readonly key: string;
}

export interface UserKeysFacts {
  readonly path: string;
  readonly keys: readonly PublicKeyView[];
  readonly total: number;
  readonly page: Page;
  readonly values: NewUserKey;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** Keys by which somebody signs in over SSH, and the form of another one. */
export function UserKeysView({ path, keys, total, page, values, problem, formToken }: UserKeysFacts): Html {
  const { account, forms } = useTexts();
  const texts = account.keys;
  return [
    keys.length === 0
      ? h(Empty, { icon: "key", title: texts.none }, h("p", null, texts.noneHint))
      : h(
          Rows,
          null,
          keys.map(({ id, title, fingerprint, createdMs, lastUsedMs }) =>
            h(
              Row,
              { action: h(Do, { action: `${path}/${id}/remove`, formToken, label: forms.remove, of: title, isDanger: true }) },
              h("strong", null, title),
              h("div", { class: "soft" }, h("code", null, fingerprint)),
              h(
                "div",
                { class: "soft" },
                texts.added,
                " ",
                h(Day, { ms: createdMs }),
                ", ",
                texts.lastUsed,
                " ",
                lastUsedMs === 0 ? forms.never : h(Day, { ms: lastUsedMs }),
              ),
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
        h(Field, { name: "title", label: texts.title, value: values.title, autocomplete: "off" }),
        h(TextArea, { name: "key", label: texts.key, value: values.key, hint: texts.keyHint, rows: 4, isCode: true }),
        h(Submit, { label: forms.add }),
      ),
    ),
  ];
}
