import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { type RepositoryName, settingsPath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { CheckBox, Field, Form, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { DeployKeyView } from "../view.ts";

export interface NewDeployKey {
  readonly title: string;
  readonly key: string;
  readonly can_write: boolean;
}

export interface DeployKeysFacts {
  readonly repository: RepositoryName;
  readonly keys: readonly DeployKeyView[];
  readonly total: number;
  readonly page: Page;
  readonly values: NewDeployKey;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** Keys that open one repository, and the form of another one. */
export function DeployKeysView({ repository, keys, total, page, values, problem, formToken }: DeployKeysFacts): Html {
  const { settings, forms } = useTexts();
  const texts = settings.keys;
  const path = settingsPath(repository, "/keys");
  return [
    keys.length === 0
      ? h(Empty, { icon: "key", title: texts.none }, h("p", null, texts.noneHint))
      : [
          h("p", { class: "soft" }, texts.hint),
          h(
            Rows,
            null,
            keys.map((key) =>
              h(
                Row,
                { action: h(Do, { action: `${path}/${key.id}/remove`, formToken, label: forms.remove, of: key.title, isDanger: true }) },
                h("strong", null, key.title),
                " ",
                h("span", { class: "badge" }, key.isReadOnly ? texts.readOnly : texts.writes),
                h("div", { class: "soft" }, h("code", null, key.fingerprint), ", ", texts.added, " ", h(Day, { ms: key.createdMs })),
              ),
            ),
          ),
          h(Pager, { path, page, total }),
        ],
    h(
      "section",
      null,
      h("h2", null, texts.add),
      h(
        Form,
        { action: path, formToken, problem },
        h(Field, { name: "title", label: texts.title, value: values.title, autocomplete: "off" }),
        h(TextArea, { name: "key", label: texts.key, value: values.key, hint: texts.keyHint, rows: 4, isCode: true }),
        h(CheckBox, { name: "can_write", label: texts.canWrite, isChecked: values.can_write }),
        h(Submit, { label: forms.add }),
      ),
    ),
  ];
}
