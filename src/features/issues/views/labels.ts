import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { CheckBox, Field, Form, OptionalField, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { LabelChip } from "../../../ui/labels.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { LabelView } from "../../labels/view.ts";

export interface LabelValues {
  readonly name: string;
  /** With the sign before it, as browsers have colours. */
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly is_archived: boolean;
}

export interface LabelsFacts {
  /** Of the list. */
  readonly path: string;
  /** Where the issues with a label are; undefined where they are in many repositories. */
  readonly issuesWith: ((label: string) => string) | undefined;
  readonly labels: readonly LabelView[];
  readonly total: number;
  readonly page: Page;
  /** Set for those who may change labels. */
  readonly form: { readonly editedId: number | undefined; readonly title: string; readonly values: LabelValues; readonly problem?: FormProblem } | undefined;
  readonly formToken: string;
}

/** The labels of a repository or an organization, and the form of one. */
export function LabelsView({ path, issuesWith, labels, total, page, form, formToken }: LabelsFacts): Html {
  const { planning: texts, forms } = useTexts();
  return [
    labels.length === 0
      ? h(Empty, { icon: "tag", title: texts.noLabels }, h("p", null, texts.noLabelsHint))
      : h(
          Rows,
          null,
          labels.map(({ id, name, color, description, isArchived }) => {
            const edit = h("a", { class: "button", href: `${path}/${id}` }, forms.edit);
            const end = h(Do, { action: `${path}/${id}/delete`, formToken, label: forms.delete, of: name, isDanger: true });
            return h(
              Row,
              { action: form !== undefined && h("div", { class: "end" }, edit, end) },
              h(LabelChip, { name, color, href: issuesWith?.(name) }),
              isArchived && h("span", { class: "badge" }, texts.archived),
              [" ", h("span", { class: "soft", dir: "auto" }, description)],
            );
          }),
        ),
    h(Pager, { path, page, total }),
    form !== undefined && h(LabelForm, { action: form.editedId === undefined ? path : `${path}/${form.editedId}`, formToken, ...form }),
  ];
}

type LabelFormFacts = NonNullable<LabelsFacts["form"]> & { readonly action: string; readonly formToken: string };

function LabelForm({ action, formToken, editedId, title, values, problem }: LabelFormFacts): Html {
  const { planning: texts, forms } = useTexts();
  return h(
    "section",
    null,
    h("h2", null, title),
    h(
      Form,
      { action, formToken, problem },
      h(Field, { name: "name", label: texts.name, value: values.name, hint: texts.nameHint, autocomplete: "off" }),
      h(Field, { name: "color", label: texts.color, value: values.color, type: "color", autocomplete: "off" }),
      h(OptionalField, { name: "description", label: texts.description, value: values.description }),
      h(CheckBox, { name: "exclusive", label: texts.isExclusive, isChecked: values.exclusive }),
      h(CheckBox, { name: "is_archived", label: texts.isArchived, isChecked: values.is_archived }),
      h(Submit, { label: editedId === undefined ? forms.add : forms.save }),
    ),
  );
}
