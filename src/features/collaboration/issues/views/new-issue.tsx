import type { FormProblem } from "../../../../core/form-problem.ts";
import { type RepositoryName, repositoryPath, withQuery } from "../../../../ui/addresses.ts";
import { FieldProblem, useFieldProblem } from "../../../../ui/form-problems.tsx";
import { Choice, Field, Form, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Rendered, RenderedLine } from "../../../../ui/rendered.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { uploadPath } from "../conversation/views/conversation.tsx";
import type { PlanChoices } from "../planning/sidebar-props.ts";
import { PlanFields, type PlanValues } from "../planning/views/plan-forms.tsx";
import { choicesOf, codeOf, exampleOf, type FormAnswers, hintOf, isRequired, labelOf, presetOf, takesSeveral } from "../templates/answers.ts";
import type { IssueConfigView } from "../templates/config.ts";
import type { FormField, IssueTemplateView } from "../templates/template.ts";
import { issueTexts, planningTexts } from "../texts/texts.ts";

export interface NewIssueProps {
  readonly repository: RepositoryName;
  readonly formToken: string;
  readonly title: string;
  readonly content: string;
  /** The form of a template; undefined for a free text. */
  readonly form: FilledForm | undefined;
  /** Choices and values of the plan fields; undefined for readers who cannot plan issues. */
  readonly plan: { readonly choices: PlanChoices; readonly values: Omit<PlanValues, "deadline"> } | undefined;
  readonly problem: FormProblem | undefined;
}

export interface FilledForm {
  /** Identifies the template. */
  readonly fileName: string;
  readonly fields: readonly FormField[];
  readonly answers: FormAnswers;
  /** Rendered texts of the form, by their Markdown source. */
  readonly explained: ReadonlyMap<string, string>;
}

export function NewIssueView({ repository, formToken, title, content, form, plan, problem }: NewIssueProps): Html {
  const texts = useTexts(issueTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <Form
      action={`${repositoryPath(repository)}/issues/new`}
      formToken={formToken}
      isOnce
      problem={problem}
      hidden={{ ...(form !== undefined && { template: form.fileName }), ...(plan !== undefined && { plans: "true" }) }}
    >
      <Field name="title" label={texts.newTitle} value={title} autocomplete="off" hasFocus />
      {form === undefined ? (
        <TextArea name="content" label={texts.newText} value={content} rows={10} hint={forms.markdown} isMarkdown attachPath={uploadPath(repository)} />
      ) : (
        form.fields.filter(({ visible }) => visible.includes("form")).map((field) => <Question field={field} form={form} attachPath={uploadPath(repository)} />)
      )}
      {plan !== undefined && (
        <details class="folded" open={plan.values.labels.length > 0 || plan.values.assignees !== ""}>
          <summary>{texts.more}</summary>
          <div class="stack">
            <PlanFields {...plan} />
          </div>
        </details>
      )}
      <div class="bar">
        <button class="primary" type="submit">
          {texts.submit}
        </button>
      </div>
    </Form>
  );
}

interface QuestionProps {
  readonly field: FormField;
  readonly form: FilledForm;
  readonly attachPath: string;
}

function Question({ field, form, attachPath }: QuestionProps): Html {
  const texts = useTexts(planningTexts);
  if (field.type === "markdown") return <Rendered html={htmlOf(form, presetOf(field))} />;
  if (takesSeveral(field)) return <Ticks field={field} form={form} />;
  const { texts: answers } = form.answers;
  const hint = hintOf(field) === "" ? undefined : <Rendered html={htmlOf(form, hintOf(field))} />;
  const example = exampleOf(field) || undefined;
  const label = isRequired(field) ? labelOf(field) : texts.optional(labelOf(field));
  const props = { name: `answers.${field.id}`, label, hint, value: answers[field.id] ?? presetOf(field) };
  if (field.type === "dropdown") {
    const options = choicesOf(field).map(({ label }) => [label, label] as const);
    return <Choice {...props} options={[["", texts.choose], ...options]} />;
  }
  if (field.type === "textarea")
    return <TextArea {...props} example={example} rows={6} {...(codeOf(field) === "" ? { isMarkdown: true, attachPath } : { isCode: true })} />;
  return <Field {...props} example={example} autocomplete="off" isOptional={!isRequired(field)} />;
}

const htmlOf = (form: FilledForm, text: string): string => form.explained.get(text) ?? "";

/** A field with several choices. */
function Ticks({ field, form }: Omit<QuestionProps, "attachPath">): Html {
  const texts = useTexts(planningTexts);
  const name = `ticks.${field.id}`;
  const ticked = form.answers.ticks[field.id] ?? [];
  const isRefused = useFieldProblem(`answers.${field.id}`) !== undefined;
  return (
    <fieldset class="ticks" {...(isRefused && { "aria-describedby": `${name}-problem` })}>
      <legend>{field.type === "checkboxes" || isRequired(field) ? labelOf(field) : texts.optional(labelOf(field))}</legend>
      {hintOf(field) !== "" && (
        <div class="hint">
          <Rendered html={htmlOf(form, hintOf(field))} />
        </div>
      )}
      {choicesOf(field).map(({ label, isRequired }, at) => (
        <label class="tick">
          <input type="checkbox" name={name} value={at} checked={ticked.includes(at)} required={isRequired} />
          <RenderedLine html={htmlOf(form, label)} text={label} />
        </label>
      ))}
      <FieldProblem name={`answers.${field.id}`} id={name} />
    </fieldset>
  );
}

export interface ChooseProps {
  readonly repository: RepositoryName;
  readonly templates: readonly IssueTemplateView[];
  /** Invalid template files, with the reason. */
  readonly invalid: readonly { readonly path: string; readonly problem: string }[];
  readonly config: IssueConfigView;
  readonly configProblem: string | undefined;
}

/** The choice of templates, with contact links. */
export function ChooseTemplateView({ repository, templates, invalid, config, configProblem }: ChooseProps): Html {
  const texts = useTexts(planningTexts);
  const path = `${repositoryPath(repository)}/issues/new`;
  const begin = (name: string, href: string): Html => (
    <a class="button" href={href} aria-label={`${texts.begin}: ${name}`}>
      {texts.begin}
    </a>
  );
  const problems = [...invalid.map(({ path, problem }) => `${path}: ${problem}`), ...(configProblem === undefined ? [] : [`config: ${configProblem}`])];
  const choices = (
    <ul class="rows">
      {templates.map(({ name, about, fileName }) => (
        <li>
          <div>
            <strong>{name}</strong>
            <p class="soft">{about}</p>
          </div>
          {begin(name, withQuery(path, { template: fileName }))}
        </li>
      ))}
      {config.allowsBlank && (
        <li>
          <div>
            <strong>{texts.blank}</strong>
          </div>
          {begin(texts.blank, withQuery(path, { blank: "true" }))}
        </li>
      )}
      {config.contactLinks.map(({ name, url, about }) => (
        <li>
          <div>
            <strong>{name}</strong>
            <p class="soft">{about}</p>
          </div>
          <a class="button" href={url} rel="noopener nofollow" aria-label={`${texts.contact}: ${name}`}>
            <Icon name="link" />
            {texts.contact}
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {problems.length > 0 && (
        <details class="notice">
          <summary>{texts.invalidTemplates(problems.length)}</summary>
          <ul>
            {problems.map((problem) => (
              <li>{problem}</li>
            ))}
          </ul>
        </details>
      )}
      {choices}
    </>
  );
}
