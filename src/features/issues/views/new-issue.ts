import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { type RepositoryName, repositoryPath, withQuery } from "../../../ui/addresses.ts";
import { Rendered, RenderedLine } from "../../../ui/blocks.ts";
import { Choice, Field, Form, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { PlanChoices } from "../choices.ts";
import { choicesOf, codeOf, exampleOf, type FormAnswers, hintOf, isRequired, labelOf, presetOf, takesSeveral } from "../templates/answers.ts";
import type { IssueConfigView } from "../templates/config.ts";
import type { FormField, IssueTemplateView } from "../templates/template.ts";
import { uploadPath } from "./conversation.ts";
import { PlanFields, type PlanValues } from "./plan-forms.ts";

export interface NewIssueFacts {
  readonly repository: RepositoryName;
  readonly formToken: string;
  readonly title: string;
  readonly content: string;
  /** The form that is filled in instead of a text; undefined for a text. */
  readonly form: FilledForm | undefined;
  /** What it may be sorted by, and is; undefined for readers who do not plan. */
  readonly plan: { readonly choices: PlanChoices; readonly values: Omit<PlanValues, "deadline"> } | undefined;
  readonly problem: FormProblem | undefined;
}

export interface FilledForm {
  /** By which it is found again. */
  readonly fileName: string;
  readonly fields: readonly FormField[];
  readonly answers: FormAnswers;
  /** What it says, rendered, by how it was written. */
  readonly explained: ReadonlyMap<string, string>;
}

export function NewIssueView({ repository, formToken, title, content, form, plan, problem }: NewIssueFacts): Html {
  const { issues: texts, compare } = useTexts();
  return h(
    Form,
    {
      action: `${repositoryPath(repository)}/issues/new`,
      formToken,
      isOnce: true,
      problem,
      hidden: { ...(form !== undefined && { template: form.fileName }), ...(plan !== undefined && { plans: "true" }) },
    },
    h(Field, { name: "title", label: texts.newTitle, value: title, autocomplete: "off", hasFocus: true }),
    form === undefined
      ? h(TextArea, {
          name: "content",
          label: texts.newText,
          value: content,
          rows: 10,
          hint: texts.markdown,
          isMarkdown: true,
          attachPath: uploadPath(repository),
        })
      : form.fields.filter(({ visible }) => visible.includes("form")).map((field) => h(Question, { field, form, problem, attachPath: uploadPath(repository) })),
    plan !== undefined &&
      h(
        "details",
        { class: "folded", open: plan.values.labels.length > 0 || plan.values.assignees !== "" },
        h("summary", null, compare.more),
        h("div", { class: "stack" }, h(PlanFields, plan)),
      ),
    h("div", { class: "bar" }, h("button", { class: "primary", type: "submit" }, texts.submit)),
  );
}

interface QuestionFacts {
  readonly field: FormField;
  readonly form: FilledForm;
  readonly problem: FormProblem | undefined;
  readonly attachPath: string;
}

function Question({ field, form, problem, attachPath }: QuestionFacts): Html {
  const { tracking: texts } = useTexts();
  if (field.type === "markdown") return h(Rendered, { html: htmlOf(form, presetOf(field)) });
  if (takesSeveral(field)) return h(Ticks, { field, form, problem });
  const { texts: answers } = form.answers;
  const hint = hintOf(field) === "" ? undefined : h(Rendered, { html: htmlOf(form, hintOf(field)) });
  const example = exampleOf(field) || undefined;
  const label = isRequired(field) ? labelOf(field) : texts.optional(labelOf(field));
  const facts = { name: `answers.${field.id}`, label, hint, value: answers[field.id] ?? presetOf(field) };
  if (field.type === "dropdown") {
    const options = choicesOf(field).map(({ label }) => [label, label] as const);
    return h(Choice, { ...facts, options: [["", texts.choose], ...options] });
  }
  if (field.type === "textarea")
    return h(TextArea, { ...facts, example, rows: 6, ...(codeOf(field) === "" ? { isMarkdown: true, attachPath } : { isCode: true }) });
  return h(Field, { ...facts, example, autocomplete: "off", isOptional: !isRequired(field) });
}

const htmlOf = (form: FilledForm, text: string): string => form.explained.get(text) ?? "";

/** Several of several. */
function Ticks({ field, form, problem }: Omit<QuestionFacts, "attachPath">): Html {
  const { tracking: texts } = useTexts();
  const name = `ticks.${field.id}`;
  const ticked = form.answers.ticks[field.id] ?? [];
  const said = problem?.field === `answers.${field.id}`;
  return h(
    "fieldset",
    { class: "ticks", ...(said && { "aria-describedby": `${name}-problem` }) },
    h("legend", null, field.type === "checkboxes" || isRequired(field) ? labelOf(field) : texts.optional(labelOf(field))),
    hintOf(field) !== "" && h("div", { class: "hint" }, h(Rendered, { html: htmlOf(form, hintOf(field)) })),
    choicesOf(field).map(({ label, isRequired }, at) =>
      h(
        "label",
        { class: "tick" },
        h("input", { type: "checkbox", name, value: at, checked: ticked.includes(at), required: isRequired }),
        h(RenderedLine, { html: htmlOf(form, label), text: label }),
      ),
    ),
    said && h("p", { class: "wrong", id: `${name}-problem` }, texts.chooseTick),
  );
}

export interface ChooseFacts {
  readonly repository: RepositoryName;
  readonly templates: readonly IssueTemplateView[];
  /** Files that cannot be used, and why. */
  readonly invalid: readonly { readonly path: string; readonly problem: string }[];
  readonly config: IssueConfigView;
  readonly configProblem: string | undefined;
}

/** What an issue can be about here, and where else to go. */
export function ChooseTemplateView({ repository, templates, invalid, config, configProblem }: ChooseFacts): Html {
  const { tracking: texts } = useTexts();
  const path = `${repositoryPath(repository)}/issues/new`;
  const begin = (name: string, href: string): Html => h("a", { class: "button", href, "aria-label": `${texts.begin}: ${name}` }, texts.begin);
  const problems = [...invalid.map(({ path, problem }) => `${path}: ${problem}`), ...(configProblem === undefined ? [] : [`config: ${configProblem}`])];
  const choices = h(
    "ul",
    { class: "rows" },
    templates.map(({ name, about, fileName }) =>
      h("li", null, h("div", null, h("strong", null, name), h("p", { class: "soft" }, about)), begin(name, withQuery(path, { template: fileName }))),
    ),
    config.allowsBlank && h("li", null, h("div", null, h("strong", null, texts.blank)), begin(texts.blank, withQuery(path, { blank: "true" }))),
    config.contactLinks.map(({ name, url, about }) =>
      h(
        "li",
        null,
        h("div", null, h("strong", null, name), h("p", { class: "soft" }, about)),
        h("a", { class: "button", href: url, rel: "noopener nofollow", "aria-label": `${texts.contact}: ${name}` }, h(Icon, { name: "link" }), texts.contact),
      ),
    ),
  );
  return [
    problems.length > 0 &&
      h(
        "details",
        { class: "notice" },
        h("summary", null, texts.invalidTemplates(problems.length)),
        h(
          "ul",
          null,
          problems.map((problem) => h("li", null, problem)),
        ),
      ),
    choices,
  ];
}
