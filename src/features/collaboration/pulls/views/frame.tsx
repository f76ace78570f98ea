import { pullPath, type RepositoryName, sourcePath } from "../../../../ui/addresses.ts";
import { CountsWithBar } from "../../../../ui/diff.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { fill } from "../../../../ui/texts/fill.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { ConversationTitle, EditTitle } from "../../issues/conversation/views/conversation.tsx";
import { Person } from "../../issues/views/person.tsx";
import type { PullView } from "../model.ts";
import { pullTexts } from "../texts/texts.ts";

export type PullPart = "conversation" | "commits" | "files";

export interface PullFrameProps {
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly part: PullPart;
  /** Undefined if it is not known. */
  readonly commitsCount: { readonly count: number; readonly isLimit: boolean } | undefined;
  readonly now: number;
  readonly canEdit?: boolean;
  readonly canChangeBase?: boolean;
}

/** Header and tabs of all pages of a pull request. */
export const PullFrame = (props: PullFrameProps): Html => (
  <>
    <ConversationTitle issue={props.pull.issue} now={props.now} actions={props.canEdit && <EditTitle repository={props.repository} issue={props.pull.issue} />}>
      <Ends {...props} />
    </ConversationTitle>
    <Parts {...props} />
  </>
);

const counted = (count: number): string => (count === 0 ? "" : String(count));

/** The sentence about the author and the branches, or about the merge. */
function Ends({ repository, pull, commitsCount, now, canChangeBase = false }: PullFrameProps): Html {
  const texts = useTexts(pullTexts);
  const { merged } = pull;
  const base = (
    <>
      <a href={sourcePath(repository, { kind: "branch", rev: pull.baseBranch })}>
        <code>{pull.baseBranch}</code>
      </a>
      {canChangeBase && (
        <>
          {" "}
          <a href={`${pullPath(repository, pull.number)}/base`} title={texts.changeBase}>
            <Icon name="pencil" label={texts.changeBase} />
          </a>
        </>
      )}
    </>
  );
  return (
    <>
      <Person user={merged === null ? pull.issue.poster : pull.merger} formerName={merged === null ? pull.issue.originalAuthor : undefined} />{" "}
      {fill<Html>((merged === null ? texts.into : texts.cameInto)(commitsCount === undefined ? undefined : shownCount(commitsCount), commitsCount?.count), {
        base,
        head: <Head pull={pull} />,
        when: merged !== null && <Ago ms={merged.mergedMs} now={now} />,
      })}
    </>
  );
}

function Head({ pull }: Pick<PullFrameProps, "pull">): Html {
  const texts = useTexts(pullTexts);
  const { headRepository, headBranch, headTipOid } = pull;
  if (headRepository === undefined) return texts.headGone;
  const place: RepositoryName = { ownerName: headRepository.owner.name, name: headRepository.name };
  const name = headRepository.id === pull.repoId ? headBranch : `${place.ownerName}:${headBranch}`;
  const words = <code data-copy={headBranch}>{name}</code>;
  return headTipOid === null ? words : <a href={sourcePath(place, { kind: "branch", rev: headBranch })}>{words}</a>;
}

const shownCount = ({ count, isLimit }: NonNullable<PullFrameProps["commitsCount"]>): string => `${count}${isLimit ? "+" : ""}`;

function Parts({ repository, pull, part, commitsCount }: PullFrameProps): Html {
  const texts = useTexts(pullTexts);
  const path = pullPath(repository, pull.number);
  const parts: readonly (readonly [PullPart, IconName, string, string])[] = [
    ["conversation", "comment", path, counted(pull.issue.commentsCount)],
    ["commits", "git-commit", `${path}/commits`, commitsCount === undefined ? "" : shownCount(commitsCount)],
    ["files", "file-code", `${path}/files`, counted(pull.size?.changedFiles ?? 0)],
  ];
  return (
    <nav class="tabs" aria-label={texts.parts}>
      {parts.map(([name, icon, href, count]) => (
        <a href={href} {...(name === part && { "aria-current": "page" })}>
          <Icon name={icon} />
          {texts[name]}
          {count !== "" && <span class="counter">{count}</span>}
        </a>
      ))}
      {pull.size !== undefined && (
        <span class="size">
          <CountsWithBar {...pull.size} />
        </span>
      )}
    </nav>
  );
}
