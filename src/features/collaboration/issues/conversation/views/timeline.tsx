import type { Page } from "../../../../../core/paging.ts";
import type { RepositoryName } from "../../../../../ui/addresses.ts";
import { Pager } from "../../../../../ui/blocks.tsx";
import type { Html } from "../../../../../ui/html.ts";
import type { LabelView } from "../../../labels/model.ts";
import type { IssueView } from "../../model.ts";
import type { OfReactions } from "../../reactions/views.tsx";
import { commentEditing, historyOf, issueEditing, type ShownEntry, type TextActions, Written } from "./conversation.tsx";
import { TimelineEvent } from "./timeline-event.tsx";

export interface TimelineProps {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  /** Path of the page that contains it. */
  readonly path: string;
  /** The issue's own text. */
  readonly html: string;
  readonly canEdit: boolean;
  /** Reactions to the issue's own text. */
  readonly reactions?: OfReactions | undefined;
  /** Page of the entries; the issue's own text is on the first. */
  readonly page: Page;
  readonly total: number;
  readonly now: number;
  readonly actions: TextActions;
  /** The page's entries. */
  readonly children?: Html;
}

/** The text of an issue or pull request and its timeline. */
export const Timeline = ({ repository, issue, path, html, canEdit, reactions, page, total, now, actions, children }: TimelineProps): Html => (
  <>
    <ol class="timeline">
      {page.page === 1 && (
        <Written
          id="issue"
          user={issue.poster}
          formerName={issue.originalAuthor}
          ms={issue.createdMs}
          html={html}
          now={now}
          isIssue
          editing={canEdit ? issueEditing(repository, issue.number) : undefined}
          version={issue.contentVersion}
          history={historyOf(repository, issue.number, issue.contentVersion)}
          reactions={reactions}
          repository={repository}
          number={issue.number}
          actions={actions}
        />
      )}
      {children}
    </ol>
    <Pager path={path} page={page} total={total} />
  </>
);

export interface EntryProps {
  readonly repository: RepositoryName;
  readonly shown: ShownEntry & { readonly labels: readonly LabelView[] };
  readonly now: number;
  readonly actions: TextActions;
  readonly isPull?: boolean;
}

/** A comment or an event. */
export const Entry = ({ repository, shown: { entry, labels, html, isEditable, reactions, sentence, below }, now, actions, isPull }: EntryProps): Html =>
  html === undefined ? (
    <TimelineEvent repository={repository} entry={entry} labels={labels} now={now} sentence={sentence} below={below} isPull={isPull} />
  ) : (
    <Written
      id={`issuecomment-${entry.id}`}
      user={entry.poster}
      formerName={entry.originalAuthor}
      ms={entry.createdMs}
      html={html}
      now={now}
      isIssue={false}
      editing={isEditable ? commentEditing(repository, entry.issue.number, entry.id) : undefined}
      version={entry.contentVersion}
      history={historyOf(repository, entry.issue.number, entry.contentVersion, entry.id)}
      reactions={reactions}
      commentId={entry.id}
      hiddenAs={entry.payload.hiddenAs}
      repository={repository}
      number={entry.issue.number}
      actions={actions}
    />
  );
