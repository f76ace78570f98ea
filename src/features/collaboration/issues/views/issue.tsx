import type { Page } from "../../../../core/paging.ts";
import { issuePath, type RepositoryName } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Answer, type AnswerFacts, ConversationTitle, type ShownEntry } from "../conversation/views/conversation.tsx";
import { joinLabels } from "../conversation/views/joined-labels.ts";
import { Entry, Timeline } from "../conversation/views/timeline.tsx";
import type { SideFacts } from "../planning/choices.ts";
import { IssueSide } from "../planning/views/side.tsx";
import type { OfReactions } from "../reactions/views.tsx";
import type { IssueView } from "../view.ts";

export interface IssuePageFacts extends Omit<AnswerFacts, "path"> {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  /** The issue's own text. */
  readonly html: string;
  readonly entries: readonly ShownEntry[];
  /** To the issue's own text. */
  readonly reactions: OfReactions;
  readonly side: SideFacts;
  /** Of the entries; the issue's own text stands on the first. */
  readonly page: Page;
  readonly total: number;
  readonly now: number;
}

/** An issue: what it says, what happened, and where one answers. */
export const IssuePage = (facts: IssuePageFacts): Html => (
  <>
    <ConversationTitle {...facts} />
    <div class="columns">
      <div>
        <IssueTimeline {...facts} />
        <Answer {...facts} path={issuePath(facts.repository, facts.issue.number)} />
      </div>
      <IssueSide {...facts} />
    </div>
  </>
);

const IssueTimeline = (facts: IssuePageFacts): Html => {
  const { repository, entries, now } = facts;
  return (
    <Timeline {...facts} path={issuePath(repository, facts.issue.number)}>
      {joinLabels(entries).map((shown) => (
        <Entry repository={repository} shown={shown} now={now} />
      ))}
    </Timeline>
  );
};
