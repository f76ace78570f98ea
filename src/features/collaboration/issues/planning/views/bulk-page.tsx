import { repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";

import type { IssueView } from "../../model.ts";
import { IssueRows } from "../../search/views/issue-rows.tsx";
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
      <section class="box">
        <BulkForm {...props} />
        <IssueRows issues={issues} chosen={chosen} now={now} />
      </section>
      <p>
        <a href={back}>{forms.cancel}</a>
      </p>
    </>
  );
}
