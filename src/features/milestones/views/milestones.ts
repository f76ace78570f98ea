import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { type RepositoryName, repositoryPath, withQuery } from "../../../ui/addresses.ts";
import { Empty, Pager, Rendered } from "../../../ui/blocks.ts";
import { Field, Form, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { MilestoneView } from "../view.ts";

export interface MilestoneValues {
  readonly title: string;
  readonly description: string;
  /** A day; empty for none. */
  readonly due_on: string;
}

/** A milestone with its description rendered. */
export interface ShownMilestone {
  readonly milestone: MilestoneView;
  readonly html: string;
}

export interface MilestonesFacts {
  readonly repository: RepositoryName;
  readonly state: "open" | "closed";
  readonly milestones: readonly ShownMilestone[];
  readonly total: number;
  readonly page: Page;
  readonly canChange: boolean;
  readonly formToken: string;
  readonly now: number;
}

/** Milestones and how far they are. */
export function MilestonesView({ repository, state, milestones, total, page, canChange, formToken, now }: MilestonesFacts): Html {
  const { planning: texts } = useTexts();
  const path = `${repositoryPath(repository)}/milestones`;
  return [
    h(
      "div",
      { class: "bar" },
      h(
        "nav",
        { class: "switch", "aria-label": texts.milestones },
        (["open", "closed"] as const).map((one) =>
          h("a", { href: withQuery(path, { state: one === "open" ? undefined : one }), ...(one === state && { "aria-current": "page" }) }, texts[one]),
        ),
      ),
      canChange && h("span", { class: "end" }, h("a", { class: "button", href: `${path}/new` }, texts.newMilestone)),
    ),
    milestones.length === 0
      ? h(Empty, { icon: "milestone", title: texts.noMilestones }, h("p", null, texts.noMilestonesHint))
      : h(
          Rows,
          null,
          milestones.map((shown) => h(Milestone, { repository, ...shown, canChange, formToken, now })),
        ),
    h(Pager, { path, query: { state: state === "open" ? undefined : state }, page, total }),
  ];
}

interface MilestoneFacts extends ShownMilestone {
  readonly repository: RepositoryName;
  readonly canChange: boolean;
  readonly formToken: string;
  readonly now: number;
}

function Milestone({ repository, milestone, html, canChange, formToken, now }: MilestoneFacts): Html {
  const { planning: texts, forms } = useTexts();
  const { id, title, dueMs, isClosed, openIssuesCount: open, closedIssuesCount: closed } = milestone;
  const path = `${repositoryPath(repository)}/milestones/${id}`;
  const isLate = !isClosed && dueMs !== null && dueMs < now;
  const [verb, action] = isClosed ? [texts.reopen, "reopen"] : [texts.close, "close"];
  const actions = [
    h("a", { class: "button", href: path }, forms.edit),
    h(Do, { action: `${path}/${action}`, formToken, label: verb, of: title }),
    h(Do, { action: `${path}/delete`, formToken, label: forms.delete, of: title, isDanger: true }),
  ];
  return h(
    Row,
    { action: canChange && h("div", { class: "end" }, actions) },
    h("a", { href: `${repositoryPath(repository)}/milestone/${id}` }, h("strong", { dir: "auto" }, title)),
    h("progress", { max: Math.max(1, open + closed), value: closed, "aria-label": texts.progress(open, closed) }),
    h(
      "div",
      { class: "soft" },
      texts.progress(open, closed),
      dueMs !== null && [", ", h("span", { class: isLate && "wrong" }, isLate ? texts.wasDueOn : texts.dueOn, " ", h(Day, { ms: dueMs }))],
    ),
    html !== "" && h(Rendered, { html }),
  );
}

export interface MilestoneFormFacts {
  readonly action: string;
  readonly isNew: boolean;
  readonly values: MilestoneValues;
  readonly problem?: FormProblem | undefined;
  readonly cancel: string;
  readonly formToken: string;
}

export function MilestoneForm({ action, isNew, values, problem, cancel, formToken }: MilestoneFormFacts): Html {
  const { planning: texts, issues, forms } = useTexts();
  return h(
    Form,
    { action, formToken, problem },
    h(Field, { name: "title", label: texts.title, value: values.title, autocomplete: "off", hasFocus: true }),
    h(TextArea, { name: "description", label: texts.description, value: values.description, rows: 5, hint: issues.markdown, isMarkdown: true }),
    h(Field, { name: "due_on", label: texts.due, value: values.due_on, type: "date", autocomplete: "off", isOptional: true }),
    h("div", { class: "bar" }, h(Submit, { label: isNew ? forms.add : forms.save }), h("a", { href: cancel }, forms.cancel)),
  );
}
