import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { issuePath, type RepositoryName } from "../../../ui/addresses.ts";
import { Choice, Field, Form, OptionalField } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { LabelDot } from "../../../ui/labels.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { PlanChoices } from "../choices.ts";
import type { IssueView } from "../view.ts";

/** A form about one issue, where it is shown. */
export interface PlannedFacts {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
}

/** Where a part of an issue or pull request is changed. */
export const changePath = (repository: RepositoryName, { number }: Pick<IssueView, "number">, part: string): string =>
  `${issuePath(repository, number)}/${part}`;

/** What was typed into the form of a plan. */
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

export interface PlanFormFacts extends PlannedFacts {
  readonly choices: PlanChoices;
  readonly values?: PlanValues;
}

/** What an issue is sorted by, and who works on it: fields of a form. */
export function PlanFields({ choices, values }: { readonly choices: PlanChoices; readonly values: Omit<PlanValues, "deadline"> }): Html {
  const { tracking: texts, forms } = useTexts();
  return [
    h(
      "fieldset",
      { class: "ticks" },
      h("legend", null, texts.labels),
      choices.labels.length === 0 && h("p", { class: "hint" }, texts.noLabels),
      choices.labels.map(({ id, name, color }) =>
        h(
          "label",
          { class: "tick" },
          h("input", { type: "checkbox", name: "labels", value: id, checked: values.labels.includes(id) }),
          h(LabelDot, { color }),
          h("span", null, name),
        ),
      ),
    ),
    h(Field, {
      name: "assignees",
      label: texts.assignees,
      value: values.assignees,
      hint: forms.names,
      autocomplete: "off",
      isOptional: true,
      holdsNames: true,
    }),
    h(Choice, {
      name: "milestone",
      label: texts.milestone,
      value: String(values.milestone),
      options: [["0", texts.noMilestone], ...choices.milestones.map(({ id, title }) => [String(id), title] as const)],
    }),
  ];
}

/** What an issue is sorted by, who works on it, and until when. */
export function PlanForm({ repository, issue, formToken, choices, values = planOf(issue), problem }: PlanFormFacts): Html {
  const { tracking: texts, forms } = useTexts();
  // What it bears stays there to be ticked off, though it is archived.
  const labels = [...choices.labels, ...issue.labels.filter(({ id }) => !choices.labels.some((label) => label.id === id))];
  const { milestone } = issue;
  const isListed = milestone === undefined || choices.milestones.some(({ id }) => id === milestone.id);
  const milestones = isListed ? choices.milestones : [...choices.milestones, milestone];
  return h(
    Form,
    { action: changePath(repository, issue, "plan"), formToken, name: "plan", problem },
    h(PlanFields, { choices: { labels, milestones }, values }),
    h(Field, { name: "deadline", label: texts.dueDate, type: "date", value: values.deadline, autocomplete: "off", isOptional: true }),
    h("div", null, h("button", { type: "submit" }, forms.save)),
  );
}

/** Lets an issue wait for another one. */
export function DependencyForm({ repository, issue, formToken, problem, value = "" }: PlannedFacts & { readonly value?: string }): Html {
  const { tracking: texts } = useTexts();
  return h(
    Form,
    { action: changePath(repository, issue, "dependencies"), formToken, name: "dependency", problem },
    h(Field, { name: "other", label: texts.dependency, value, hint: texts.dependencyHint, autocomplete: "off" }),
    h("div", null, h("button", { type: "submit" }, texts.addDependency)),
  );
}

/** Notes a time that somebody has spent. */
export function TimeForm({ repository, issue, formToken, problem, value = "" }: PlannedFacts & { readonly value?: string }): Html {
  const { tracking: texts } = useTexts();
  return h(
    Form,
    { action: changePath(repository, issue, "times"), formToken, name: "time", isOnce: true, problem },
    h(Field, { name: "time", label: texts.addTime, value, hint: texts.timeHint, autocomplete: "off" }),
    h("div", null, h("button", { type: "submit" }, texts.addTime)),
  );
}

/** Says how long it may take. */
export function EstimateForm({ repository, issue, formToken, problem, value }: PlannedFacts & { readonly value: string }): Html {
  const { tracking: texts, forms } = useTexts();
  return h(
    Form,
    { action: changePath(repository, issue, "estimate"), formToken, name: "estimate", problem },
    h(Field, { name: "estimate", label: texts.estimate, value, hint: texts.estimateHint, autocomplete: "off", isOptional: true }),
    h("div", null, h("button", { type: "submit" }, forms.save)),
  );
}

/** Locks an issue, and says why. */
export function LockForm({ repository, issue, formToken }: PlannedFacts): Html {
  const { tracking: texts } = useTexts();
  return h(
    Form,
    { action: changePath(repository, issue, "lock"), formToken, name: "lock", hidden: { wanted: "true" } },
    h(OptionalField, { name: "reason", label: texts.lockReason, value: "", hint: texts.lockReasonHint }),
    h("div", null, h("button", { type: "submit" }, texts.lock)),
  );
}

export interface ActFacts {
  readonly action: string;
  readonly formToken: string;
  readonly label: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** What it is done to, for those who do not see where the button stands. */
  readonly of?: string;
}

/** One button that does one thing. */
export const Act = ({ action, formToken, label, hidden = {}, of }: ActFacts): Html =>
  h(
    Form,
    { action, formToken, hidden, isInline: true },
    h("button", { class: "small", type: "submit", ...(of !== undefined && { "aria-label": `${label}: ${of}` }) }, label),
  );
