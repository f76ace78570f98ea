import { repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";

import type { IssueView } from "../../model.ts";
import { IssueRow } from "../../search/views/list.tsx";
import { BulkForm, type BulkFormProps } from "./bulk.tsx";

export interface BulkPageProps extends BulkFormProps {
  readonly issues: readonly IssueView[];
  readonly now: number;
}

/** The selected issues, with the rejected change. */
export function BulkPage(props: BulkPageProps): Html {
  const { forms } = useTexts(sharedTexts);
  const { kind, repository, query, page, issues, chosen, now } = props;
  const back = withQuery(`${repositoryPath(repository)}/${kind}`, { q: query, page: page > 1 ? page : undefined });
  return (
    <>
      <BulkForm {...props} />
      <ul class="list issues">
        {issues.map((issue) => (
          <IssueRow kind={kind} repository={repository} issue={issue} chosen={chosen} now={now} />
        ))}
      </ul>
      <p>
        <a href={back}>{forms.cancel}</a>
      </p>
    </>
  );
}
