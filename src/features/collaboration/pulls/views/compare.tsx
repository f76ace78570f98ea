import type { FormProblem } from "../../../../core/form-problem.ts";
import { comparePath, pullPath, type RepositoryName, withQuery } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { CheckBox, Field, Form, OptionalField, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { ListInTurns } from "../../../../ui/render-in-turns.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { CommitView } from "../../../repositories/commits/model.ts";
import { type ChecksOfCommits, CommitRow } from "../../../repositories/commits/views/history.tsx";
import type { FilesPiece } from "../../../repositories/diffs/file-piece.ts";
import { ReadOnlyChanges } from "../../../repositories/diffs/views/changes.tsx";
import type { FileBoxCommon } from "../../../repositories/diffs/views/file-box.tsx";
import type { PlanChoices } from "../../issues/planning/sidebar-props.ts";
import { PlanFields } from "../../issues/planning/views/plan-forms.tsx";
import { issueTexts } from "../../issues/texts/texts.ts";
import type { EndChoices } from "../service/end-choices.ts";
import { compareTexts } from "../texts/texts.ts";

/** Input of the form for a new pull request. */
export interface Proposal {
  readonly title: string;
  readonly content: string;
  readonly draft: boolean;
  readonly labels: readonly number[];
  readonly assignees: string;
  /** 0: none. */
  readonly milestone: number;
  /** Names as entered. */
  readonly reviewers: string;
  /** Whether maintainers may push to the branch of a fork. */
  readonly allow_edits: boolean;
  readonly problem?: FormProblem;
}

/** The compared refs as named in the page's address. */
export interface ComparedNames {
  readonly repository: RepositoryName;
  readonly base: string;
  readonly head: string;
  /** With two dots: compares the two ends directly. */
  readonly isDirect: boolean;
}

/** Whether the head names a branch of another repository, as `owner:branch`. */
export const isOfFork = (head: string): boolean => head.includes(":");

export const comparedPath = ({ repository, base, head, isDirect }: ComparedNames): string =>
  comparePath(repository, `${base}${isDirect ? ".." : "..."}${head}`);

/** Maximum number of suggestions. */
const candidates = 12;

export interface CandidatesProps extends ComparedNames {
  readonly choices: EndChoices;
  /** Branches of the reader's fork, newest first. */
  readonly ownHeads: readonly string[];
}

/** Recently updated branches, with links to compare them with the base. */
export function Candidates({ repository, base, isDirect, choices, ownHeads }: CandidatesProps): Html {
  const texts = useTexts(compareTexts);
  const { branches, tags } = choices.base;
  const others = choices.heads.filter(({ name }) => name !== choices.headRepository).map(({ head }) => head);
  const heads = [...new Set([...ownHeads, ...[...branches, ...tags].filter((ref) => ref !== base), ...others])].slice(0, candidates);
  if (heads.length === 0)
    return (
      <Empty icon="git-branch" title={texts.onlyBase}>
        <p>{texts.onlyBaseHint}</p>
      </Empty>
    );
  return (
    <section class="box">
      <header>
        <Icon name="git-compare" />
        <h2>{texts.candidates(base)}</h2>
      </header>
      <ul class="within plain-list">
        {heads.map((head) => (
          <li>
            <a href={comparedPath({ repository, base, head, isDirect })}>
              <code>{head}</code>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export interface CompareProps extends ComparedNames, Omit<FileBoxCommon, "repository"> {
  readonly found: {
    readonly total: number;
    readonly commits: readonly CommitView[];
    readonly piece: FilesPiece;
    readonly mergeBaseOid: string | undefined;
    readonly openPull: number | undefined;
    readonly checks: ChecksOfCommits;
  };
  /** Both ends are the same commit. */
  readonly isSame: boolean;
  /** Whether both ends are branches, so that a pull request is possible. */
  readonly areBranches: boolean;
  readonly swapAddress: string;
  /** Undefined: not signed in. */
  readonly formToken: string | undefined;
  /** Whether the reader can create pull requests in the repository. */
  readonly takesPulls: boolean;
  readonly proposal: Proposal;
  /** The comparison is for a pull request, so its form is open. */
  readonly opensForm: boolean;
  /** Values for labels and other fields; undefined for readers who cannot plan pull requests. */
  readonly planned: PlanChoices | undefined;
  readonly now: number;
}

/** Maximum number of listed commits; the total is always exact. */
const shownCommits = 100;

/** In lines of a diff. */
const costOfCommit = 5;

/** The changes between two branches, with the form to create a pull request. */
export function CompareView(props: CompareProps): Html {
  const texts = useTexts(compareTexts);
  const { repository, found, isDirect, now } = props;
  const { commits, total, piece, mergeBaseOid } = found;
  if (total === 0 && (!isDirect || piece.fileCount === 0)) return <NothingNew {...props} />;
  return (
    <>
      {mergeBaseOid === undefined && <p class="notice">{texts.unrelated}</p>}
      {total > 0 && !isDirect && <Pulls {...props} />}
      <details class="box within-diff" open={total > 0 && total <= openCommits}>
        <summary>{texts.commits(total)}</summary>
        <ol class="commits">
          <ListInTurns
            items={commits.slice(0, shownCommits)}
            costOf={() => costOfCommit}
            view={(view) => <CommitRow repository={repository} view={view} checks={found.checks} now={now} />}
          />
        </ol>
        {total > shownCommits && <p class="soft within">{texts.newestOnly(shownCommits)}</p>}
      </details>
      {piece.fileCount === 0 ? <Empty icon="file-code" title={texts.sameFiles} /> : <Difference {...props} />}
    </>
  );
}

/** Longer lists of commits are collapsed. */
const openCommits = 30;

function Difference(props: CompareProps): Html {
  const texts = useTexts(compareTexts);
  const text = comparedPath(props);
  const patch = props.found.mergeBaseOid !== undefined && [" · ", <a href={`${text}.patch`}>{texts.asMails}</a>];
  return <ReadOnlyChanges {...props} piece={props.found.piece} textAddress={`${text}.diff`} otherTexts={patch} />;
}

/** The message if the head has no new commits: both are the same, or the head is behind the base. */
function NothingNew({ base, head, isSame, swapAddress }: CompareProps): Html {
  const texts = useTexts(compareTexts);
  return (
    <Empty icon="git-compare" title={isSame ? texts.same : texts.nothing}>
      <p>{texts.nothingHint}</p>
      {!isSame && (
        <p>
          <a class="button" href={swapAddress}>
            {texts.otherWay(base, head)}
          </a>
        </p>
      )}
    </Empty>
  );
}

type ProposingProps = ComparedNames & Pick<CompareProps, "formToken" | "proposal" | "planned" | "opensForm">;

/** The form for a pull request from a private fork, whose changes are not shown yet. */
export function UnshownHead(props: ComparedNames & Pick<CompareProps, "formToken" | "takesPulls" | "proposal">): Html {
  const texts = useTexts(compareTexts);
  return (
    <>
      <p class="notice">{texts.unshown}</p>
      {props.takesPulls && <Proposing {...props} planned={undefined} opensForm />}
    </>
  );
}

/** The open pull request of the comparison, or the form to create one. */
function Pulls(props: CompareProps): Html {
  const texts = useTexts(compareTexts);
  const { repository, areBranches, takesPulls, found, proposal } = props;
  if (!takesPulls) return null;
  if (!areBranches) return <p class="soft">{texts.onlyBranches}</p>;
  return (
    <>
      {found.openPull !== undefined && (
        <p class="notice">
          {texts.isOpen} <a href={pullPath(repository, found.openPull)}>{`#${found.openPull}`}</a>
        </p>
      )}
      {(found.openPull === undefined || proposal.problem !== undefined) && <Proposing {...props} />}
    </>
  );
}

function Proposing({ repository, base, head, isDirect, formToken, proposal, planned, opensForm }: ProposingProps): Html {
  const texts = useTexts(compareTexts);
  const issue = useTexts(issueTexts);
  const { forms, site } = useTexts(sharedTexts);
  const path = comparedPath({ repository, base, head, isDirect });
  if (formToken === undefined)
    return (
      <p>
        <a href={withQuery("/user/login", { redirect_to: path })}>{site.signIn}</a> {texts.signIn}
      </p>
    );
  return (
    <details class="box within-diff" open={opensForm || proposal.problem !== undefined}>
      <summary>{texts.open}</summary>
      <Form action={path} formToken={formToken} isOnce problem={proposal.problem}>
        <Field name="title" label={issue.newTitle} value={proposal.title} autocomplete="off" />
        <TextArea name="content" label={issue.newText} value={proposal.content} rows={8} hint={forms.markdown} isMarkdown />
        <OptionalField name="reviewers" label={texts.reviewers} value={proposal.reviewers} hint={texts.reviewersHint} />
        {planned !== undefined && (
          <details class="folded">
            <summary>{issue.more}</summary>
            <div class="stack">
              <PlanFields choices={planned} values={proposal} />
            </div>
          </details>
        )}
        <CheckBox name="draft" label={texts.draft} isChecked={proposal.draft} hint={texts.draftHint} />
        {isOfFork(head) && <CheckBox name="allow_edits" label={texts.allowEdits} isChecked={proposal.allow_edits} hint={texts.allowEditsHint} />}
        <div class="bar">
          <button class="primary" type="submit">
            {texts.submit}
          </button>
        </div>
      </Form>
    </details>
  );
}
