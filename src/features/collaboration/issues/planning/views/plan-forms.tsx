import type { FormProblem } from "../../../../../core/form-problem.ts";
import { issuePath, type RepositoryName } from "../../../../../ui/addresses.ts";
import { Choice, Field, Form, OptionalField } from "../../../../../ui/forms.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { LabelDot } from "../../../../../ui/labels.tsx";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { ruleTexts } from "../../../../repositories/branches/texts/texts.ts";
import type { IssueView } from "../../model.ts";
import { planningTexts } from "../../texts/texts.ts";
import type { PlanChoices } from "../sidebar-props.ts";

/** A form about one issue. */
export interface PlannedProps {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
}

/** Address that changes a part of an issue or pull request. */
export const changePath = (repository: RepositoryName, { number }: Pick<IssueView, "number">, part: string): string =>
  `${issuePath(repository, number)}/${part}`;

/** Input of the form for labels, assignees, milestone and due date. */
export interface PlanValues {
  readonly labels: readonly number[];
  readonly assignees: string;
  readonly milestone: number;
  readonly deadline: string;
}

export const planOf = (issue: IssueView): PlanValues => ({
  labels: issue.labelIds,
  assignees: issue.assignees.map(({ name }) => name).join(", "),
  milestone: issue.milestoneId ?? 0,
  deadline: issue.deadlineMs === null ? "" : new Date(issue.deadlineMs).toISOString().slice(0, 10),
});

export interface PlanFormProps extends PlannedProps {
  readonly choices: PlanChoices;
  readonly values?: PlanValues;
}

/** Form fields for labels, milestone and assignees. */
export function PlanFields({ choices, values }: { readonly choices: PlanChoices; readonly values: Omit<PlanValues, "deadline"> }): Html {
  const texts = useTexts(planningTexts);
  const forms = useTexts(ruleTexts);
  return (
    <>
      <fieldset class="ticks">
        <legend>{texts.labels}</legend>
        {choices.labels.length === 0 && <p class="hint">{texts.noLabels}</p>}
        {choices.labels.map(({ id, name, color }) => (
          <label class="tick">
            <input type="checkbox" name="labels" value={id} checked={values.labels.includes(id)} />
            <LabelDot color={color} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <Field name="assignees" label={texts.assignees} value={values.assignees} hint={forms.names} autocomplete="off" isOptional holdsNames />
      <Choice
        name="milestone"
        label={texts.milestone}
        value={String(values.milestone)}
        options={[["0", texts.noMilestone], ...choices.milestones.map(({ id, title }) => [String(id), title] as const)]}
      />
    </>
  );
}

/** Form for labels, milestone, assignees and due date. */
export function PlanForm({ repository, issue, formToken, choices, values = planOf(issue), problem }: PlanFormProps): Html {
  const texts = useTexts(planningTexts);
  const { forms } = useTexts(sharedTexts);
  // Archived labels of the issue are listed too, so that they can be unchecked.
  const labels = [...choices.labels, ...issue.labels.filter(({ id }) => !choices.labels.some((label) => label.id === id))];
  const { milestone } = issue;
  const isListed = milestone === undefined || choices.milestones.some(({ id }) => id === milestone.id);
  const milestones = isListed ? choices.milestones : [...choices.milestones, milestone];
  return (
    <Form action={changePath(repository, issue, "plan")} formToken={formToken} name="plan" problem={problem}>
      <PlanFields choices={{ labels, milestones }} values={values} />
      <Field name="deadline" label={texts.dueDate} type="date" value={values.deadline} autocomplete="off" isOptional />
      <div>
        <button type="submit">{forms.save}</button>
      </div>
    </Form>
  );
}

/** Form to add a dependency. */
export function DependencyForm({ repository, issue, formToken, problem, value = "" }: PlannedProps & { readonly value?: string }): Html {
  const texts = useTexts(planningTexts);
  return (
    <Form action={changePath(repository, issue, "dependencies")} formToken={formToken} name="dependency" problem={problem}>
      <Field name="other" label={texts.dependency} value={value} hint={texts.dependencyHint} autocomplete="off" />
      <div>
        <button type="submit">{texts.addDependency}</button>
      </div>
    </Form>
  );
}

/** Form to add a tracked time. */
export function TimeForm({ repository, issue, formToken, problem, value = "" }: PlannedProps & { readonly value?: string }): Html {
  const texts = useTexts(planningTexts);
  return (
    <Form action={changePath(repository, issue, "times")} formToken={formToken} name="time" isOnce problem={problem}>
      <Field name="time" label={texts.addTime} value={value} hint={texts.timeHint} autocomplete="off" />
      <div>
        <button type="submit">{texts.addTime}</button>
      </div>
    </Form>
  );
}

/** Form to set the estimate. */
export function EstimateForm({ repository, issue, formToken, problem, value }: PlannedProps & { readonly value: string }): Html {
  const texts = useTexts(planningTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <Form action={changePath(repository, issue, "estimate")} formToken={formToken} name="estimate" problem={problem}>
      <Field name="estimate" label={texts.estimate} value={value} hint={texts.estimateHint} autocomplete="off" isOptional />
      <div>
        <button type="submit">{forms.save}</button>
      </div>
    </Form>
  );
}

/** Form to lock an issue with a reason. */
export function LockForm({ repository, issue, formToken }: PlannedProps): Html {
  const texts = useTexts(planningTexts);
  return (
    <Form action={changePath(repository, issue, "lock")} formToken={formToken} name="lock" hidden={{ wanted: "true" }}>
      <OptionalField name="reason" label={texts.lockReason} value="" hint={texts.lockReasonHint} />
      <div>
        <button type="submit">{texts.lock}</button>
      </div>
    </Form>
  );
}

export interface ActProps {
  readonly action: string;
  readonly formToken: string;
  readonly label: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Accessible description of the button's target, for screen readers. */
  readonly of?: string;
}

/** A form with a single button. */
export const Act = ({ action, formToken, label, hidden = {}, of }: ActProps): Html => (
  <Form action={action} formToken={formToken} hidden={hidden} isInline>
    <button class="small" type="submit" {...(of !== undefined && { "aria-label": `${label}: ${of}` })}>
      {label}
    </button>
  </Form>
);
