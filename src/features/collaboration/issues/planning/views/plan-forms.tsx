import type { FormProblem } from "../../../../../core/form-problem.ts";
import { issuePath, type RepositoryName } from "../../../../../ui/addresses.ts";
import { Avatar } from "../../../../../ui/avatar.tsx";
import { Choice, Field, Form, OptionalField } from "../../../../../ui/forms.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { LabelDot } from "../../../../../ui/labels.tsx";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { ruleTexts } from "../../../../repositories/branches/texts/texts.ts";
import type { IssueView } from "../../model.ts";
import { planningTexts } from "../../texts/texts.ts";
import type { PlanChoices, SideChoices } from "../sidebar-props.ts";

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

/** A part of the sidebar with a form of its own. */
export type SidePart = "labels" | "assignees" | "milestone" | "deadline";

export const sideParts: readonly SidePart[] = ["labels", "assignees", "milestone", "deadline"];

export interface SideFormProps extends PlannedProps {
  readonly part: SidePart;
  readonly choices: SideChoices;
  /** The rejected input. */
  readonly values?: PlanValues;
}

/** Form for one part of the sidebar. A script saves each change at once and hides the button. */
export function SideForm({ part, repository, issue, formToken, choices, values = planOf(issue), problem }: SideFormProps): Html {
  const texts = useTexts(planningTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <Form action={changePath(repository, issue, `side/${part}`)} formToken={formToken} name={part} problem={problem}>
      {part === "labels" && <LabelTicks issue={issue} choices={choices} values={values} />}
      {part === "assignees" && <AssigneeTicks issue={issue} choices={choices} values={values} />}
      {part === "milestone" && <MilestoneTicks issue={issue} choices={choices} values={values} />}
      {part === "deadline" && <Field name="deadline" label={texts.dueDate} type="date" value={values.deadline} autocomplete="off" isOptional />}
      <div class="bar">
        <button type="submit">{forms.save}</button>
      </div>
    </Form>
  );
}

type TicksProps = Required<Pick<SideFormProps, "issue" | "choices" | "values">>;

/** Narrows the entries below it with a script. */
export const Narrow = ({ label }: { readonly label: string }): Html => (
  <input class="narrow" type="search" aria-label={label} placeholder={label} autocomplete="off" data-narrow="" />
);

function LabelTicks({ issue, choices, values }: TicksProps): Html {
  const texts = useTexts(planningTexts);
  // Archived labels of the issue are listed too, so that they can be removed.
  const labels = [...issue.labels.filter(({ id }) => !choices.labels.some((label) => label.id === id)), ...choices.labels];
  return (
    <fieldset class="choices">
      <legend>{texts.labels}</legend>
      <Narrow label={texts.narrow} />
      {labels.length === 0 && <p class="hint">{texts.noLabels}</p>}
      {labels.map(({ id, name, color }) => (
        <label class="tick" data-value={name}>
          <input type="checkbox" name="labels" value={id} checked={values.labels.includes(id)} />
          <LabelDot color={color} />
          <span dir="auto">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function AssigneeTicks({ issue, choices, values }: TicksProps): Html {
  const texts = useTexts(planningTexts);
  const people = [...issue.assignees.filter(({ id }) => !choices.people.some((user) => user.id === id)), ...choices.people];
  const wanted = values.assignees.split(/[\s,]+/).map((name) => name.toLowerCase());
  const others = values.assignees.split(/[\s,]+/).filter((name) => !people.some((user) => user.name.toLowerCase() === name.toLowerCase()));
  return (
    <>
      <fieldset class="choices">
        <legend>{texts.assignees}</legend>
        <Narrow label={texts.narrow} />
        {people.map((user) => (
          <label class="tick" data-value={user.name}>
            <input type="checkbox" name="people" value={user.name} checked={wanted.includes(user.name.toLowerCase())} />
            <Avatar account={user} size={20} />
            <span>{user.name}</span>
          </label>
        ))}
      </fieldset>
      <Field name="assignees" label={texts.otherAssignees} value={others.join(", ")} autocomplete="off" isOptional holdsNames />
    </>
  );
}

function MilestoneTicks({ issue, choices, values }: TicksProps): Html {
  const texts = useTexts(planningTexts);
  const { milestone } = issue;
  const isListed = milestone === undefined || choices.milestones.some(({ id }) => id === milestone.id);
  const milestones = isListed ? choices.milestones : [milestone, ...choices.milestones];
  return (
    <fieldset class="choices">
      <legend>{texts.milestone}</legend>
      <Narrow label={texts.narrow} />
      {[{ id: 0, title: texts.noMilestone }, ...milestones].map(({ id, title }) => (
        <label class="tick" data-value={title}>
          <input type="radio" name="milestone" value={id} checked={values.milestone === id} />
          <span dir="auto">{title}</span>
        </label>
      ))}
    </fieldset>
  );
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
