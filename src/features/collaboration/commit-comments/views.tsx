import type { Page } from "../../../core/paging.ts";
import type { Explained } from "../../../core/reasons.ts";
import { commitPath, type RepositoryName, repositoryPath, withQuery } from "../../../ui/addresses.ts";
import { Pager } from "../../../ui/blocks.tsx";
import { problemOfText } from "../../../ui/form-problems.tsx";
import { Form, TextArea } from "../../../ui/forms.tsx";
import type { Html } from "../../../ui/html.ts";
import { Rendered } from "../../../ui/rendered.tsx";
import { fill } from "../../../ui/texts/fill.ts";
import { sharedTexts } from "../../../ui/texts/shared.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.tsx";
import { issueTexts, planningTexts } from "../issues/texts/texts.ts";
import { Person } from "../issues/views/person.tsx";
import type { CommitCommentView } from "./model.ts";
import { commitCommentTexts } from "./texts/texts.ts";

export const commentsPath = (repository: RepositoryName, below = ""): string => `${repositoryPath(repository)}/commit_comments${below}`;

export interface ShownComment {
  readonly comment: CommitCommentView;
  readonly html: string;
  /** Whether the reader can edit and delete it. */
  readonly isEditable: boolean;
}

export interface CommitCommentsProps {
  readonly repository: RepositoryName;
  readonly oid: string;
  readonly comments: readonly ShownComment[];
  readonly page: Page;
  readonly total: number;
  /** Undefined: not signed in. */
  readonly formToken: string | undefined;
  readonly canComment: boolean;
  /** A rejected comment and the reason. */
  readonly refused?: { readonly content: string; readonly problem: Explained | string } | undefined;
  readonly now: number;
}

/** The comments on a commit, and the form for another one. */
export function CommitComments(props: CommitCommentsProps): Html {
  const texts = useTexts(commitCommentTexts);
  const { repository, oid, comments, page, total } = props;
  const count = Math.max(total, comments.length);
  return (
    <section class="below" id="comments">
      <h2>{count === 0 ? texts.none : texts.title(count)}</h2>
      {comments.length > 0 && (
        <ol class="timeline">
          {comments.map((shown) => (
            <Comment {...props} shown={shown} />
          ))}
        </ol>
      )}
      <Pager path={commitPath(repository, oid)} page={page} total={count} label={texts.title(count)} />
      <Write {...props} />
    </section>
  );
}

function Comment({ repository, shown: { comment, html, isEditable }, now }: CommitCommentsProps & { readonly shown: ShownComment }): Html {
  const texts = useTexts(issueTexts);
  const { forms } = useTexts(sharedTexts);
  const planning = useTexts(planningTexts);
  const { id, poster, originalAuthor, createdMs, contentVersion } = comment;
  return (
    <li class="box" id={`commitcomment-${id}`}>
      <header>
        <strong>
          <Person user={poster} formerName={originalAuthor} avatarSize={24} />
        </strong>
        <a class="soft" href={`#commitcomment-${id}`}>
          {fill<Html>(texts.commented, { when: <Ago ms={createdMs} now={now} /> })}
        </a>
        {contentVersion > 0 && <span class="soft">{planning.edited}</span>}
        {isEditable && (
          <span class="end">
            <a href={commentsPath(repository, `/${id}/edit`)} aria-label={`${forms.edit}: ${texts.comment}`}>
              {forms.edit}
            </a>
          </span>
        )}
      </header>
      <div class="within">
        <Rendered html={html} />
      </div>
    </li>
  );
}

function Write({ repository, oid, formToken, canComment, refused }: CommitCommentsProps): Html {
  const texts = useTexts(commitCommentTexts);
  const { forms, site } = useTexts(sharedTexts);
  if (formToken === undefined)
    return (
      <p>
        <a href={withQuery("/user/login", { redirect_to: commitPath(repository, oid) })}>{site.signIn}</a> {texts.signIn}
      </p>
    );
  if (!canComment) return null;
  return (
    <Form action={commentsPath(repository)} formToken={formToken} hidden={{ commit: oid }} isOnce problem={problemOfText(refused?.problem)}>
      <TextArea name="content" label={texts.write} rows={4} hint={forms.markdown} value={refused?.content ?? ""} isMarkdown shortcut="c" anchor="answer" />
      <div class="bar">
        <button type="submit">{texts.comment}</button>
      </div>
    </Form>
  );
}
