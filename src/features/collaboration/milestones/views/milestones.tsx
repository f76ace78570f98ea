import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import { type RepositoryName, repositoryPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Field, Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Rendered } from "../../../../ui/rendered.tsx";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { MilestoneView } from "../model.ts";
import { milestoneTexts } from "../texts/texts.ts";

export interface MilestoneValues {
  readonly title: string;
  readonly description: string;
  /** A date; empty for none. */
  readonly due_on: string;
}

/** A milestone with its rendered description. */
export interface ShownMilestone {
  readonly milestone: MilestoneView;
  readonly html: string;
}

export interface MilestonesProps {
  readonly repository: RepositoryName;
  readonly state: "open" | "closed";
  readonly milestones: readonly ShownMilestone[];
  readonly total: number;
  readonly page: Page;
  readonly canChange: boolean;
  readonly formToken: string;
  readonly now: number;
}

/** Milestones with their progress. */
export function MilestonesView({ repository, state, milestones, total, page, canChange, formToken, now }: MilestonesProps): Html {
  const texts = useTexts(milestoneTexts);
  const path = `${repositoryPath(repository)}/milestones`;
  return (
    <>
      <div class="bar">
        <nav class="switch" aria-label={texts.milestones}>
          {(["open", "closed"] as const).map((one) => (
            <a href={withQuery(path, { state: one === "open" ? undefined : one })} {...(one === state && { "aria-current": "page" })}>
              {texts[one]}
            </a>
          ))}
        </nav>
        {canChange && (
          <span class="end">
            <a class="button primary" href={`${path}/new`}>
              {texts.newMilestone}
            </a>
          </span>
        )}
      </div>
      {milestones.length === 0 ? (
        <Empty icon="milestone" title={texts.noMilestones[state]}>
          <p>{texts.noMilestonesHint}</p>
        </Empty>
      ) : (
        <Rows>
          {milestones.map((shown) => (
            <Milestone repository={repository} {...shown} canChange={canChange} formToken={formToken} now={now} />
          ))}
        </Rows>
      )}
      <Pager path={path} query={{ state: state === "open" ? undefined : state }} page={page} total={total} />
    </>
  );
}

interface MilestoneProps extends ShownMilestone {
  readonly repository: RepositoryName;
  readonly canChange: boolean;
  readonly formToken: string;
  readonly now: number;
}

function Milestone({ repository, milestone, html, canChange, formToken, now }: MilestoneProps): Html {
  const texts = useTexts(milestoneTexts);
  const { forms } = useTexts(sharedTexts);
  const { id, title, dueMs, isClosed, openIssuesCount: open, closedIssuesCount: closed } = milestone;
  const path = `${repositoryPath(repository)}/milestones/${id}`;
  const isLate = !isClosed && dueMs !== null && dueMs < now;
  const [verb, action] = isClosed ? [texts.reopen, "reopen"] : [texts.close, "close"];
  const actions = [
    <a class="button" href={path}>
      {forms.edit}
    </a>,
    <Do action={`${path}/${action}`} formToken={formToken} label={verb} of={title} />,
    <Do action={`${path}/delete`} formToken={formToken} label={forms.delete} of={title} isDanger />,
  ];
  return (
    <Row action={canChange && <div class="end">{actions}</div>}>
      <a href={`${repositoryPath(repository)}/milestone/${id}`}>
        <strong dir="auto">{title}</strong>
      </a>
      <progress max={Math.max(1, open + closed)} value={closed} aria-label={texts.progress(open, closed)} />
      <div class="soft">
        {texts.progress(open, closed)}
        {dueMs !== null && (
          <>
            {", "}
            <span class={isLate ? "wrong" : undefined}>
              {isLate ? texts.wasDueOn : texts.dueOn} <Day ms={dueMs} />
            </span>
          </>
        )}
      </div>
      {html !== "" && <Rendered html={html} />}
    </Row>
  );
}

export interface MilestoneFormProps {
  readonly action: string;
  readonly isNew: boolean;
  readonly values: MilestoneValues;
  readonly problem?: FormProblem | undefined;
  readonly cancel: string;
  readonly formToken: string;
}

export function MilestoneForm({ action, isNew, values, problem, cancel, formToken }: MilestoneFormProps): Html {
  const texts = useTexts(milestoneTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <Form action={action} formToken={formToken} problem={problem}>
      <Field name="title" maxLength={lengths.line} label={texts.title} value={values.title} autocomplete="off" hasFocus />
      <TextArea
        name="description"
        maxLength={lengths.milestoneDescription}
        label={texts.description}
        value={values.description}
        rows={5}
        hint={forms.markdown}
        isMarkdown
      />
      <Field name="due_on" label={texts.due} value={values.due_on} type="date" autocomplete="off" isOptional />
      <div class="bar">
        <Submit label={isNew ? texts.create : forms.save} />
        <a href={cancel}>{forms.cancel}</a>
      </div>
    </Form>
  );
}
