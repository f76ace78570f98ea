import type { Page } from "../../../../core/paging.ts";
import { issuePath, type RepositoryName, repositoryPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Answer, type AnswerProps, ConversationTitle, EditTitle, type ShownEntry, type TextActions } from "../conversation/views/conversation.tsx";
import { joinLabels } from "../conversation/views/joined-labels.ts";
import { Entry, Timeline } from "../conversation/views/timeline.tsx";
import type { IssueView } from "../model.ts";
import type { SidebarProps } from "../planning/sidebar-props.ts";
import { IssueSide } from "../planning/views/side.tsx";
import type { OfReactions } from "../reactions/views.tsx";
import { issueTexts } from "../texts/texts.ts";

export interface IssuePageProps extends Omit<AnswerProps, "path"> {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  /** The issue's own text. */
  readonly html: string;
  readonly entries: readonly ShownEntry[];
  /** Reactions to the issue's own text. */
  readonly reactions: OfReactions;
  readonly side: SidebarProps;
  readonly actions: TextActions;
  /** Page of the entries; the issue's own text is on the first. */
  readonly page: Page;
  readonly total: number;
  readonly now: number;
}

/** The page of an issue: text, timeline and comment form. */
export const IssuePage = (props: IssuePageProps): Html => (
  <>
    <ConversationTitle issue={props.issue} now={props.now} actions={props.formToken !== undefined && <TitleActions {...props} />} />
    <div class="columns">
      <div>
        <IssueTimeline {...props} />
        <Answer {...props} path={issuePath(props.repository, props.issue.number)} />
      </div>
      <IssueSide {...props} />
    </div>
  </>
);

function TitleActions({ repository, issue, canEdit, actions }: IssuePageProps): Html {
  const texts = useTexts(issueTexts);
  return (
    <>
      {canEdit && <EditTitle repository={repository} issue={issue} />}
      {actions.taskToken !== undefined && (
        <a class="button small" href={`${repositoryPath(repository)}/issues/new`}>
          {texts.create}
        </a>
      )}
    </>
  );
}

const IssueTimeline = (props: IssuePageProps): Html => {
  const { repository, entries, now, actions } = props;
  return (
    <Timeline {...props} path={issuePath(repository, props.issue.number)}>
      {joinLabels(entries).map((shown) => (
        <Entry repository={repository} shown={shown} now={now} actions={actions} />
      ))}
    </Timeline>
  );
};
