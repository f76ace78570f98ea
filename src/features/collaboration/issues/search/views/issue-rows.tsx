import { accountPath, issuePath, pullPath, repositoryPath } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { Ago } from "../../../../../ui/time.tsx";
import type { IssueView } from "../../model.ts";
import { issueTexts } from "../../texts/texts.ts";
import { StateIcon } from "../../views/state.tsx";

export interface IssueRowsProps {
  readonly issues: readonly IssueView[];
  readonly now: number;
}

/** Issues of several repositories, each with its repository. */
export const IssueRows = ({ issues, now }: IssueRowsProps): Html => (
  <ul class="list issues">
    {issues.map((issue) => (
      <Row issue={issue} now={now} />
    ))}
  </ul>
);

function Row({ issue, now }: { readonly issue: IssueView; readonly now: number }): Html {
  const texts = useTexts(issueTexts);
  const { place, poster } = issue;
  const repository = { ownerName: place.ownerName, name: place.name };
  return (
    <li>
      <StateIcon issue={issue} />
      <div class="what">
        <a class="row-title" href={(issue.isPull ? pullPath : issuePath)(repository, issue.number)} dir="auto">
          {issue.title}
        </a>
        <div class="meta">
          <span>
            <a href={repositoryPath(repository)}>{`${place.ownerName}/${place.name}`}</a>
            {` #${issue.number}`}
          </span>
          <span>
            {`${texts.openedBy} `}
            {poster === undefined ? texts.gone : <a href={accountPath(poster.name)}>{poster.name}</a>} <Ago ms={issue.createdMs} now={now} />
          </span>
          {issue.commentsCount > 0 && <span>{texts.comments(issue.commentsCount)}</span>}
        </div>
      </div>
    </li>
  );
}
