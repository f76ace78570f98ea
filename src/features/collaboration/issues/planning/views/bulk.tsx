import type { FormProblem } from "../../../../../core/form-problem.ts";
import type { Explained } from "../../../../../core/reasons.ts";
import { type RepositoryName, repositoryPath } from "../../../../../ui/addresses.ts";
import { FormContext, Problem } from "../../../../../ui/form-problems.tsx";
import { Choice, Field } from "../../../../../ui/forms.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { FormToken } from "../../../../../ui/page.tsx";
import { sayProblem } from "../../../../../ui/refusals.ts";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { ruleTexts } from "../../../../repositories/branches/texts/texts.ts";
import { planningTexts } from "../../texts/texts.ts";

import type { ListedKind, PlanChoices } from "../sidebar-props.ts";

/** The id of the form that the checkboxes of a list belong to. */
export const bulkFormId = "bulk";

/** Input of the bulk form; empty leaves a field unchanged. */
export interface BulkValues {
  readonly state: string;
  readonly add_label: string;
  readonly remove_label: string;
  readonly milestone: string;
  readonly assign: string;
  readonly unassign: string;
}

export const noBulkValues: BulkValues = { state: "", add_label: "", remove_label: "", milestone: "", assign: "", unassign: "" };

export interface BulkProps {
  readonly choices: PlanChoices;
  readonly formToken: string;
  readonly chosen: readonly number[];
  /** Number of matches of the query: the form can change all of them if the page lists fewer. */
  readonly matches?: number;
  /** Whether all matches are to be changed. */
  readonly isForAll?: boolean;
  readonly values?: BulkValues;
  readonly problem?: FormProblem | undefined;
  /** The issue that the problem is about, if it is not about a field. */
  readonly refusedNumber?: number | undefined;
}

export interface BulkFormProps extends BulkProps {
  readonly kind: ListedKind;
  readonly repository: RepositoryName;
  /** Query of the list, to return to it. */
  readonly query: string;
  readonly page: number;
}

/** Changes all selected issues of a list. */
export function BulkForm({
  kind,
  repository,
  query,
  page,
  choices,
  formToken,
  matches,
  isForAll = false,
  values = noBulkValues,
  problem,
  refusedNumber,
}: BulkFormProps): Html {
  const tracking = useTexts(planningTexts);
  const forms = useTexts(ruleTexts);
  const texts = tracking.bulk;
  const shared = useTexts(sharedTexts);
  const textOf = (explained: Explained): string => {
    const text = sayProblem(shared, explained);
    return refusedNumber === undefined ? text : texts.refusedAt(refusedNumber, text);
  };
  const keep = ["", texts.keep] as const;
  const labels = choices.labels.map(({ id, name }) => [String(id), name] as const);
  return (
    <details class="bulk" open={problem !== undefined || isForAll}>
      <summary>{texts.title}</summary>
      <form id={bulkFormId} class="bulk-fields" method="post" action={`${repositoryPath(repository)}/issues/bulk`}>
        <FormToken value={formToken} />
        {Object.entries({ kind, query, page: String(page) }).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {problem !== undefined && <Problem text={problem.field === undefined ? textOf(problem) : shared.forms.refused} />}
        <Choice name="state" label={texts.state} value={values.state} options={[keep, ["close", texts.close], ["reopen", texts.reopen]]} />
        <Choice name="add_label" label={texts.addLabel} value={values.add_label} options={[["", texts.none], ...labels]} />
        <Choice name="remove_label" label={texts.removeLabel} value={values.remove_label} options={[["", texts.none], ...labels]} />
        <Choice
          name="milestone"
          label={texts.milestone}
          value={values.milestone}
          options={[keep, ["0", texts.noMilestone], ...choices.milestones.map(({ id, title }) => [String(id), title] as const)]}
        />
        <FormContext.Provider value={{ prefix: "", problem, isShown: false }}>
          <Field name="assign" label={texts.assign} value={values.assign} hint={forms.names} autocomplete="off" isOptional />
        </FormContext.Provider>
        <Field name="unassign" label={texts.unassign} value={values.unassign} hint={forms.names} autocomplete="off" isOptional />
        <div class="bar">
          <button class="primary" type="submit">
            {texts.apply}
          </button>
          {matches !== undefined && (
            <label class="tick">
              <input type="checkbox" name="all" value="true" checked={isForAll} />
              <span>{texts.allMatches(matches)}</span>
            </label>
          )}
        </div>
      </form>
    </details>
  );
}
