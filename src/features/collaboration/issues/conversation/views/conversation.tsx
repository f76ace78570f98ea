import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Explained } from "../../../../../core/reasons.ts";
import { issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import { problemOfText } from "../../../../../ui/form-problems.tsx";
import { Form, TextArea } from "../../../../../ui/forms.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { Icon } from "../../../../../ui/icons.tsx";
import { FormToken } from "../../../../../ui/page.tsx";
import { hasOpenTasks, Rendered } from "../../../../../ui/rendered.tsx";
import { fill } from "../../../../../ui/texts/fill.ts";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { Ago } from "../../../../../ui/time.tsx";
import type { UserView } from "../../../../accounts/users/model.ts";
import type { ReplyTitle } from "../../../saved-replies/model.ts";
import { ReplyMenu } from "../../../saved-replies/views/menu.tsx";
import type { IssueView, TimelineView } from "../../model.ts";
import { type OfReactions, Reactions } from "../../reactions/views.tsx";
import { canReadIssue, canWriteIssue } from "../../rights.ts";
import { issueTexts, planningTexts } from "../../texts/texts.ts";
import { Person } from "../../views/person.tsx";
import { StateBadge } from "../../views/state.tsx";
import { type HideReason, hideReasons } from "../hide-reason.ts";

/** Parts of conversation pages of issues and pull requests. */

/** An entry of the page: a rendered comment, or an event. */
export interface ShownEntry {
  readonly entry: TimelineView;
  /** Undefined for events. */
  readonly html: string | undefined;
  /** Whether the reader can change it. */
  readonly isEditable: boolean;
  readonly reactions?: OfReactions | undefined;
  /** Replaces the sentence of an event. */
  readonly sentence?: Html;
  /** Content below the sentence of an event. */
  readonly below?: Html;
}

export interface TitleProps {
  readonly issue: IssueView;
  readonly now: number;
  /** At the end of the title. */
  readonly actions?: Html | undefined;
  /** In place of the sentence about who opened it. */
  readonly children?: Html;
}

/** Title, state and author. */
export function ConversationTitle({ issue, now, actions, children }: TitleProps): Html {
  const texts = useTexts(issueTexts);
  return (
    <div class="issue-title">
      <h1 dir="auto">
        {issue.title} <span>{`#${issue.number}`}</span>
      </h1>
      {actions && <span class="bar">{actions}</span>}
      <StateBadge issue={issue} />
      <span class="soft">
        {children ?? (
          <>
            <Person user={issue.poster} formerName={issue.originalAuthor} /> {fill<Html>(texts.wasOpened, { when: <Ago ms={issue.createdMs} now={now} /> })}
          </>
        )}
      </span>
    </div>
  );
}

/** The link to the form for the title and the text. */
export function EditTitle({ repository, issue }: { readonly repository: RepositoryName; readonly issue: Pick<IssueView, "number" | "title"> }): Html {
  const { forms } = useTexts(sharedTexts);
  return (
    <a class="button small" href={issueEditing(repository, issue.number).page} aria-label={`${forms.edit}: ${issue.title}`}>
      {forms.edit}
    </a>
  );
}

/** Actions of the reader on the texts of a page. */
export interface TextActions {
  /** Path of the page. */
  readonly path: string;
  readonly canQuote: boolean;
  /** Token of the form that hides comments; undefined if the reader cannot. */
  readonly hideToken: string | undefined;
  /** Token of the form that creates issues from task items; undefined if the reader cannot create issues. */
  readonly taskToken: string | undefined;
}

/** @param reader undefined `formToken` for visitors */
export const textActions = (
  repository: RepositorySubject,
  issue: Pick<IssueView, "number" | "isPull">,
  { canComment, formToken }: { readonly canComment: boolean; readonly formToken: string | undefined },
): TextActions => ({
  path: (issue.isPull ? pullPath : issuePath)(repository, issue.number),
  canQuote: canComment,
  hideToken: !repository.isArchived && canWriteIssue(repository, issue) ? formToken : undefined,
  taskToken: !repository.isArchived && canReadIssue(repository, { isPull: false }) ? formToken : undefined,
});

export interface WrittenProps {
  readonly id: string;
  readonly user: UserView | undefined;
  /** Name of an author without an account here, at the source of an import. */
  readonly formerName?: string | undefined;
  readonly ms: number;
  /** Rendered; empty: no text. */
  readonly html: string;
  readonly now: number;
  readonly isIssue: boolean;
  /** Addresses to edit it, on a page and by the API; undefined if the reader cannot. */
  readonly editing: { readonly page: string; readonly api: string } | undefined;
  /** Its content version. */
  readonly version: number;
  /** Address of its former versions; undefined if it was never edited. */
  readonly history?: string | undefined;
  readonly reactions?: OfReactions | undefined;
  /** Undefined for the text of the issue itself. */
  readonly commentId?: number;
  readonly hiddenAs?: HideReason | undefined;
  readonly repository: RepositoryName;
  readonly number: number;
  readonly actions: TextActions;
}

/** Edit address of an issue or pull request. */
export const issueEditing = (repository: RepositoryName, number: number) => ({
  page: `${issuePath(repository, number)}/edit`,
  api: `/repos${issuePath(repository, number)}`,
});

/** Edit address of a comment. */
export const commentEditing = (repository: RepositoryName, number: number, id: number) => ({
  page: `${issuePath(repository, number)}/comments/${id}/edit`,
  deletion: `${issuePath(repository, number)}/comments/${id}/delete`,
  hiding: `${issuePath(repository, number)}/comments/${id}/hide`,
  api: `/repos${repositoryPath(repository)}/issues/comments/${id}`,
});

/** Upload address for files added while the user writes. */
export const uploadPath = (repository: RepositoryName): string => `/repos${repositoryPath(repository)}/issues/assets`;

/** Address of the former versions of an issue's text or of a comment. */
export const historyOf = (repository: RepositoryName, number: number, version: number, commentId?: number): string | undefined =>
  version === 0 ? undefined : withQuery(`${issuePath(repository, number)}/history`, { comment: commentId });

/** A rendered text with its author. */
export function Written(props: WrittenProps): Html {
  const { id, user, formerName, ms, html, now, isIssue, editing, history, reactions, hiddenAs } = props;
  const texts = useTexts(issueTexts);
  const { forms } = useTexts(sharedTexts);
  const tracking = useTexts(planningTexts);
  const what = isIssue ? texts.newText : texts.comment;
  const taskForm = editing !== undefined && props.actions.taskToken !== undefined && hasOpenTasks(html) ? `${id}-tasks` : undefined;
  const body = (
    <div {...(hiddenAs === undefined && { class: "within" })}>
      {html === "" ? <p class="soft">{texts.noDescription}</p> : <Rendered html={html} taskForm={taskForm} />}
      {taskForm !== undefined && <TaskForm {...props} formId={taskForm} />}
    </div>
  );
  return (
    <li class="box" id={id} {...(editing !== undefined && { "data-editable": editing.api })}>
      <header>
        <strong>
          <Person user={user} formerName={formerName} avatarSize={24} />
        </strong>
        <a class="soft" href={`#${id}`}>
          {fill<Html>(isIssue ? texts.wasOpened : texts.commented, { when: <Ago ms={ms} now={now} /> })}
        </a>
        {history !== undefined && (
          <a class="soft" href={history}>
            {tracking.edited}
          </a>
        )}
        <span class="end">
          {editing !== undefined && (
            <a href={editing.page} aria-label={`${forms.edit}: ${what}`} {...(isIssue && { "data-key": "e" })}>
              {forms.edit}
            </a>
          )}
          <TextMenu {...props} />
        </span>
      </header>
      {hiddenAs === undefined ? (
        body
      ) : (
        <details class="within hidden-text">
          <summary class="soft">{texts.hiddenAs[hiddenAs]}</summary>
          {body}
        </details>
      )}
      {reactions !== undefined && hiddenAs === undefined && <Reactions {...reactions} />}
    </li>
  );
}

/** Creates issues from task items of a text, whose buttons are within it. */
const TaskForm = ({ formId, repository, number, commentId, version, actions }: WrittenProps & { readonly formId: string }): Html => (
  <form id={formId} method="post" action={`${issuePath(repository, number)}/tasks`}>
    <FormToken value={actions.taskToken ?? ""} />
    {commentId !== undefined && <input type="hidden" name="comment" value={commentId} />}
    <input type="hidden" name="content_version" value={version} />
  </form>
);

/** Further actions on a text. */
function TextMenu({ id, user, formerName, repository, number, commentId, hiddenAs, actions }: WrittenProps): Html {
  const texts = useTexts(issueTexts);
  const { path, canQuote, hideToken } = actions;
  const hides = commentId !== undefined && hideToken !== undefined;
  if (!canQuote && !hides) return null;
  const api = commentId === undefined ? issueEditing(repository, number).api : commentEditing(repository, number, commentId).api;
  const label = `${texts.moreActions}: ${user?.name ?? (formerName || texts.gone)}, #${id}`;
  return (
    <details class="menu">
      <summary title={texts.moreActions}>
        <Icon name="kebab-horizontal" label={label} />
      </summary>
      <div class="sheet">
        {canQuote && (
          <a href={`${withQuery(path, { quote: commentId ?? "issue" })}#answer`} data-quote={api}>
            <Icon name="quote" /> {texts.quote}
          </a>
        )}
        {hides && (
          <Form action={commentEditing(repository, number, commentId).hiding} formToken={hideToken} isInline>
            {hiddenAs === undefined ? (
              hideReasons.map((reason) => (
                <button class="plain" type="submit" name="reason" value={reason}>
                  <Icon name="eye" /> {texts.hideAs[reason]}
                </button>
              ))
            ) : (
              <button class="plain" type="submit" name="reason" value="">
                <Icon name="eye" /> {texts.unhide}
              </button>
            )}
          </Form>
        )}
      </div>
    </details>
  );
}

export interface AnswerProps {
  /** Path of the page that contains the form. */
  readonly path: string;
  readonly issue: IssueView;
  /** Undefined: not signed in. */
  readonly formToken: string | undefined;
  readonly canComment: boolean;
  /** Whether the repository is archived. */
  readonly isArchived: boolean;
  readonly canEdit: boolean;
  /** The initial text. */
  readonly begun?: string | undefined;
  /** Saved replies of the reader. */
  readonly replies: readonly ReplyTitle[];
  /** A rejected comment and the reason. */
  readonly refused?: { readonly content: string; readonly problem: Explained | string };
}

/** The form to comment, close and reopen. */
export function Answer({ path, issue, formToken, canComment, isArchived, canEdit, begun, replies, refused }: AnswerProps): Html {
  const texts = useTexts(issueTexts);
  const { forms, site } = useTexts(sharedTexts);
  if (formToken === undefined)
    return (
      <p>
        <a href={withQuery("/user/login", { redirect_to: path })}>{site.signIn}</a> {texts.signInToComment}
      </p>
    );
  if (!canComment) return <p class="notice">{isArchived ? texts.archived : texts.locked}</p>;
  const changesState = canEdit && issue.mergedMs === null;
  return (
    <Form action={`${path}/comments`} formToken={formToken} isOnce problem={problemOfText(refused?.problem)}>
      <TextArea
        name="content"
        label={texts.write}
        rows={5}
        hint={forms.markdown}
        value={refused?.content ?? begun ?? ""}
        isMarkdown
        attachPath={uploadPath(issue.place)}
        shortcut="c"
        anchor="answer"
      />
      <div class="bar">
        <button class="primary" type="submit" name="action" value="comment">
          {texts.comment}
        </button>
        {changesState && (
          <button type="submit" name="action" value={issue.isClosed ? "reopen" : "close"}>
            {(issue.isClosed ? texts.reopen : texts.close)[issue.isPull ? "pull" : "issue"]}
          </button>
        )}
        {changesState && !issue.isClosed && !issue.isPull && (
          <details class="menu up">
            <summary class="button" title={texts.closeAs}>
              <Icon name="triangle-down" label={texts.closeAs} />
            </summary>
            <div class="sheet">
              {(["not_planned", "duplicate"] as const).map((reason) => (
                <button class="plain" type="submit" name="action" value={`close_${reason}`}>
                  <Icon name="skip" /> {texts.closeReasons[reason]}
                </button>
              ))}
            </div>
          </details>
        )}
        <ReplyMenu replies={replies} path={path} />
      </div>
    </Form>
  );
}
