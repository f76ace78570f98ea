import { messageBody, messageTitle } from "../../../../core/commit-message.ts";
import { commitPath, containingPath, pickPath, type RepositoryName, sourcePath, withQuery } from "../../../../ui/addresses.ts";
import { Author } from "../../../../ui/avatar.tsx";
import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { CommitView as CommitModel } from "../../commits/model.ts";
import { historyTexts } from "../../commits/texts/texts.ts";
import { CheckMark, type Checks } from "../../commits/views/check-mark.tsx";
import type { FilesPiece } from "../file-piece.ts";
import { commitTexts } from "../texts/texts.ts";
import { ReadOnlyChanges } from "./changes.tsx";
import type { FileBoxCommon } from "./file-box.tsx";
import { type DiffState, diffParameters } from "./looking.ts";

export interface CommitHeadProps {
  readonly repository: RepositoryName;
  readonly view: CommitModel;
  /** The parent to compare with, starting at 1. */
  readonly parent: number;
  readonly state: DiffState;
  /** Whether the reader can commit to branches here. */
  readonly canCommit: boolean;
  /** Undefined if the commit has none. */
  readonly checks: Checks | undefined;
  /** The text of the note (`git notes`). */
  readonly note: string | undefined;
  readonly now: number;
}

/** Builds URLs for a commit compared with one of its parents. */
export const commitAddress =
  (repository: RepositoryName, oid: string, parent: number) =>
  (state: DiffState, more: Readonly<Record<string, string | number | undefined>> = {}): string =>
    withQuery(commitPath(repository, oid), { ...diffParameters(state), parent: parent === 1 ? undefined : parent, ...more });

/** Maximum number of characters of a note. */
const shownNote = 20_000;

/** The message, author and committer of a commit. */
export function CommitHead(props: CommitHeadProps): Html {
  const texts = useTexts(commitTexts);
  const history = useTexts(historyTexts);
  const { repository, view, canCommit, checks, note } = props;
  const { commit } = view;
  const [title, rest] = [messageTitle(commit.message), messageBody(commit.message)];
  return (
    <section class="box">
      <div class="within">
        <h1 dir="auto">{title}</h1>
        {rest !== "" && (
          <pre class="message" dir="auto">
            {rest}
          </pre>
        )}
      </div>
      <header>
        <People {...props} />
        <Signature {...view} />
        <CheckMark checks={checks} />
        <span class="end">
          <a href={sourcePath(repository, { kind: "commit", rev: commit.oid })}>{history.browse}</a>
          <a href={containingPath(repository, commit.oid)}>{texts.containing}</a>
          {canCommit && <a href={pickPath(repository, commit.oid)}>{texts.cherryPick}</a>}
        </span>
      </header>
      <div class="bar commit-facts">
        <span class="soft">{texts.commit}</span>
        <code class="oid" data-copy={commit.oid}>
          {commit.oid}
        </code>
        <Parents {...props} />
      </div>
      {note !== undefined && (
        <div class="within below">
          <h2>{texts.note}</h2>
          <pre class="message" dir="auto">
            {note.slice(0, shownNote).toWellFormed()}
            {note.length > shownNote && "…"}
          </pre>
        </div>
      )}
    </section>
  );
}

function People({ view: { commit, author, committer }, now }: CommitHeadProps): Html {
  const texts = useTexts(commitTexts);
  const isByAnother = commit.committer.email !== commit.author.email;
  return (
    <>
      <strong>
        <Author account={author} signature={commit.author} size={20} />
      </strong>
      <Ago ms={commit.author.seconds * 1_000} now={now} />
      {isByAnother && (
        <span class="soft">
          {texts.committedBy} <Author account={committer} signature={commit.committer} size={16} />
        </span>
      )}
    </>
  );
}

function Signature({ verdict }: Pick<CommitModel, "verdict">): Html {
  const texts = useTexts(commitTexts);
  const history = useTexts(historyTexts);
  if (verdict === undefined || (!verdict.isVerified && verdict.flaw === "not_signed")) return null;
  return verdict.isVerified ? (
    <span class="badge good" title={texts.signedWith(verdict.key)}>
      {history.verified}
    </span>
  ) : (
    <span class="badge" title={texts.unverifiedHint}>
      {texts.unverified}
    </span>
  );
}

/** A merge may have thousands of parents. Any parent can be compared with by its number in the address. */
const shownParents = 64;

/** The parents of a commit, with links that compare it with each of them. */
function Parents({ repository, view: { commit }, parent, state }: CommitHeadProps): Html {
  const texts = useTexts(commitTexts);
  const history = useTexts(historyTexts);
  const { oid, parentOids } = commit;
  if (parentOids.length === 0) return <span class="soft">{texts.noParent}</span>;
  const shown = parentOids.slice(0, shownParents);
  return (
    <>
      <span class="soft">{parentOids.length === 1 ? texts.parent : texts.parents}</span>
      {shown.map((one) => (
        <a class="oid" href={commitPath(repository, one)}>
          {one.slice(0, 10)}
        </a>
      ))}
      {shown.length < parentOids.length && <span class="soft">{history.hiddenParents(parentOids.length - shown.length)}</span>}
      {parentOids.length > 1 && (
        <nav class="switch end" aria-label={texts.comparedWith}>
          {shown.map((one, at) => {
            const href = commitAddress(repository, oid, at + 1)({ ...state, piece: 1 });
            return (
              <a href={href} {...(parent === at + 1 && { "aria-current": "page" })}>
                {texts.against(one.slice(0, 10))}
              </a>
            );
          })}
        </nav>
      )}
    </>
  );
}

export interface CommitChangesProps extends FileBoxCommon {
  readonly oid: string;
  readonly piece: FilesPiece;
}

export function CommitChanges(props: CommitChangesProps): Html {
  const texts = useTexts(commitTexts);
  const { repository, oid, piece } = props;
  if (piece.fileCount === 0) return <Empty icon="file-code" title={texts.unchanged} />;
  return <ReadOnlyChanges {...props} textAddress={`${commitPath(repository, oid)}.diff`} />;
}
