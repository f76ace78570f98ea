import { issuePath, pullPath, type RepositoryName } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";

import type { IssueView } from "../../model.ts";

export interface PlanPageProps {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  readonly children?: Html;
}

/** A page with one form about an issue. */
export function PlanPage({ repository, issue, children }: PlanPageProps): Html {
  const { forms } = useTexts(sharedTexts);
  const path = (issue.isPull ? pullPath : issuePath)(repository, issue.number);
  return (
    <>
      <h1 dir="auto">
        <a href={path}>{issue.title}</a> <span class="soft">{`#${issue.number}`}</span>
      </h1>
      <div class="narrow-form">
        {children}
        <p>
          <a href={path}>{forms.cancel}</a>
        </p>
      </div>
    </>
  );
}
