import { type RepositoryName, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { FormToken } from "../../../../../ui/page.tsx";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";

import type { IssueView } from "../../model.ts";
import { IssueRows } from "../../search/views/issue-rows.tsx";
import type { TaskProgress } from "../../tasks/service/progress.ts";
import { planningTexts } from "../../texts/texts.ts";
import type { ListedKind } from "../sidebar-props.ts";
import { BulkForm, type BulkFormProps, type BulkValues } from "./bulk.tsx";

export interface BulkPageProps extends BulkFormProps {
  readonly issues: readonly IssueView[];
  readonly progress: TaskProgress;
  readonly now: number;
}

/** The selected issues, with the rejected change. */
export function BulkPage(props: BulkPageProps): Html {
  const { forms } = useTexts(sharedTexts);
  const { kind, repository, query, page, issues, progress, chosen, now } = props;
  const back = withQuery(`${repositoryPath(repository)}/${kind}`, { q: query, page: page > 1 ? page : undefined });
  return (
    <>
      <section class="box">
        <BulkForm {...props} />
        <IssueRows issues={issues} progress={progress} chosen={chosen} now={now} />
      </section>
      <p>
        <a href={back}>{forms.cancel}</a>
      </p>
    </>
  );
}

export interface BulkPreviewProps {
  readonly kind: ListedKind;
  readonly repository: RepositoryName;
  readonly query: string;
  readonly page: number;
  readonly formToken: string;
  readonly values: BulkValues;
  /** The changes, as sentences. */
  readonly changes: readonly string[];
  /** Number of issues that the change applies to, and of all matches. */
  readonly count: number;
  readonly matches: number;
  readonly issues: readonly IssueView[];
  readonly progress: TaskProgress;
  readonly now: number;
}

/** The number of issues that a change applies to, before it is made. */
export function BulkPreview({ kind, repository, query, page, formToken, values, changes, count, matches, issues, progress, now }: BulkPreviewProps): Html {
  const { bulk: texts } = useTexts(planningTexts);
  const { forms } = useTexts(sharedTexts);
  const back = withQuery(`${repositoryPath(repository)}/${kind}`, { q: query, page: page > 1 ? page : undefined });
  const fields = { ...values, kind, query, page: String(page), all: "true", count: String(matches) };
  return (
    <>
      <p>
        {texts.preview(count)} <code>{query}</code>
      </p>
      <ul>
        {changes.map((change) => (
          <li>{change}</li>
        ))}
      </ul>
      {matches > count && <p class="notice">{texts.onlyNewest(count, matches)}</p>}
      <form class="bar" method="post" action={`${repositoryPath(repository)}/issues/bulk`}>
        <FormToken value={formToken} />
        {Object.entries(fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button class="primary" type="submit">
          {texts.applyTo(count)}
        </button>
        <a href={back}>{forms.cancel}</a>
      </form>
      <section class="box">
        <IssueRows issues={issues} progress={progress} now={now} />
      </section>
    </>
  );
}
