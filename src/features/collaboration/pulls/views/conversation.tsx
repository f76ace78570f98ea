import { atLeast } from "../../../../access/repository.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Explained } from "../../../../core/reasons.ts";
import { pullPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Do } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { MistakeText } from "../../../../ui/workflow-mistakes.tsx";
import type { CheckProgress } from "../../../repositories/statuses/model.ts";
import { Answer, type AnswerProps, type ShownEntry, type TextActions } from "../../issues/conversation/views/conversation.tsx";
import { joinLabels } from "../../issues/conversation/views/joined-labels.ts";
import { Entry, Timeline } from "../../issues/conversation/views/timeline.tsx";
import { isDraftTitle } from "../../issues/draft.ts";
import type { SidebarProps } from "../../issues/planning/sidebar-props.ts";
import { IssueSide } from "../../issues/planning/views/side.tsx";
import type { OfReactions } from "../../issues/reactions/views.tsx";
import type { ReviewerStanding } from "../reviewing.ts";
import type { ShownPush } from "../service/push-timeline.ts";
import { pullTexts } from "../texts/texts.ts";
import { PullFrame, type PullFrameProps } from "./frame.tsx";
import { MergeBox, type MergeBoxProps } from "./merge-box.tsx";
import { PushedCommits, PushSentence } from "./push-entry.tsx";
import { ReviewEntry, type ShownReview } from "./review.tsx";
import { Reviewers } from "./reviewers.tsx";

export interface PullConversationProps extends Omit<PullFrameProps, "part" | "canEdit" | "canChangeBase">, Omit<AnswerProps, "path" | "issue" | "refused"> {
  /** The pull request's own text. */
  readonly html: string;
  /** Reactions to its own text. */
  readonly reactions: OfReactions;
  readonly side: SidebarProps;
  readonly actions: TextActions;
  /** Whether the reader can request reviews. */
  readonly canChooseReviewers: boolean;
  readonly entries: readonly (ShownEntry & { readonly review: ShownReview | undefined; readonly push: ShownPush | undefined })[];
  /** Page of the entries; the pull request's own text is on the first. */
  readonly page: Page;
  readonly total: number;
  readonly outlook: MergeBoxProps["outlook"];
  readonly messages: MergeBoxProps["messages"];
  readonly checks: ShownChecks;
  /** Comments of the reader's unsubmitted review. */
  readonly draftsCount: number;
  readonly refusedAnswer: AnswerProps["refused"];
  readonly refusedMerge: MergeBoxProps["refused"];
  readonly refusedStep: Explained | string | undefined;
  readonly canRevert: boolean;
  readonly standings: readonly ReviewerStanding[];
}

/** Commit statuses of the head. */
export interface ShownChecks {
  readonly state: "success" | "failure" | "pending";
  readonly statuses: readonly { readonly context: string; readonly state: string; readonly description: string; readonly targetUrl: string }[];
  readonly progress: ReadonlyMap<string, CheckProgress>;
}

/** The page of a pull request: text, timeline, merge box and comment form. */
export function PullConversation(props: PullConversationProps): Html {
  const { repository, pull, formToken, canComment, canEdit, refusedAnswer, refusedMerge, side, now } = props;
  const { isArchived, begun, replies } = props;
  const answer = { path: pullPath(repository, pull.number), issue: pull.issue, formToken, canComment, isArchived, canEdit, begun, replies };
  return (
    <>
      <PullFrame
        repository={repository}
        pull={pull}
        part="conversation"
        commitsCount={props.commitsCount}
        now={now}
        canEdit={canEdit}
        canChangeBase={side.choices !== undefined && !pull.isClosed}
      />
      <div class="columns">
        <div>
          <PullTimeline {...props} />
          <UnsubmittedReview {...props} />
          <Checks {...props.checks} isComplete={props.outlook.requirements.every(({ unreported = [] }) => unreported.length === 0)} />
          <MergeBox
            repository={repository}
            pull={pull}
            outlook={props.outlook}
            messages={props.messages}
            formToken={formToken}
            refused={refusedMerge}
            refusedStep={props.refusedStep}
            canRevert={props.canRevert}
            canEdit={canEdit}
            standings={props.standings}
            now={now}
          />
          <Answer {...answer} {...(refusedAnswer !== undefined && { refused: refusedAnswer })} />
        </div>
        <IssueSide repository={repository} issue={pull.issue} side={side} formToken={formToken}>
          <Reviewers {...props} formToken={props.canChooseReviewers ? formToken : undefined}>
            <DraftSwitch {...props} />
          </Reviewers>
          <MaintainerEdits {...props} />
        </IssueSide>
      </div>
    </>
  );
}

/** Only the reader sees the comments of their unsubmitted review, among the files. */
function UnsubmittedReview({ repository, pull, draftsCount }: PullConversationProps): Html {
  const texts = useTexts(pullTexts);
  if (draftsCount === 0) return null;
  return (
    <p class="notice bar">
      <span>{texts.unsubmitted(draftsCount)}</span>
      <a class="button end" href={`${pullPath(repository, pull.number)}/files#review`}>
        {texts.finishReview}
      </a>
    </p>
  );
}

/** Button to mark it as a draft; the merge box has the button to mark it as ready. */
function DraftSwitch({ repository, pull, formToken, canEdit }: PullConversationProps): Html {
  const texts = useTexts(pullTexts);
  if (formToken === undefined || !canEdit || pull.isClosed || isDraftTitle(pull.issue.title)) return null;
  const action = `${pullPath(repository, pull.number)}/draft`;
  return (
    <div class="bar">
      <Do action={action} formToken={formToken} label={texts.makeDraft} of={pull.issue.title} hidden={{ draft: "true" }} />
    </div>
  );
}

/** Whether maintainers can push to the branch of a fork, for readers who can push to either end. */
function MaintainerEdits({ repository, pull, formToken, canEdit }: PullConversationProps): Html {
  const texts = useTexts(pullTexts);
  const { headRepository, allowsMaintainerEdit } = pull;
  if (formToken === undefined || !canEdit || pull.isClosed || headRepository === undefined || headRepository.id === pull.repoId) return null;
  const isOwn = atLeast(headRepository.right.unit("repo.code"), "write");
  return (
    <section class="part">
      <header>
        <h2>{texts.maintainerEdits}</h2>
      </header>
      <div class="values">
        <p>{allowsMaintainerEdit ? texts.maintainerEditsAllowed : texts.maintainerEditsForbidden}</p>
        {isOwn && (
          <Do
            action={`${pullPath(repository, pull.number)}/maintainer_edits`}
            formToken={formToken}
            label={allowsMaintainerEdit ? texts.forbidMaintainerEdits : texts.allowMaintainerEdits}
            of={pull.issue.title}
            hidden={{ allowed: String(!allowsMaintainerEdit) }}
          />
        )}
      </div>
    </section>
  );
}

const PullTimeline = (props: PullConversationProps): Html => {
  const { repository, pull, entries, now } = props;
  return (
    <Timeline {...props} issue={pull.issue} path={pullPath(repository, pull.number)}>
      {joinLabels(entries).map((shown) =>
        shown.review === undefined ? (
          <Entry repository={repository} shown={withPush(props, shown)} now={now} actions={props.actions} isPull />
        ) : (
          <ReviewEntry {...shown.review} entryId={shown.entry.id} ms={shown.entry.createdMs} now={now} formToken={props.formToken} />
        ),
      )}
    </Timeline>
  );
};

/** A push with its own sentence and commits. */
function withPush<Shown extends PullConversationProps["entries"][number]>({ repository, pull, now }: PullConversationProps, shown: Shown): Shown {
  const { push } = shown;
  if (push === undefined || push.commitOids.length === 0) return shown;
  const sentence = <PushSentence repository={repository} branch={pull.headBranch} push={push} when={<Ago ms={shown.entry.createdMs} now={now} />} />;
  return { ...shown, sentence, below: <PushedCommits repository={repository} push={push} /> };
}

const checkIcons: Readonly<Record<string, "check" | "x" | "clock">> = { success: "check", skipped: "check", pending: "clock" };
const checkClasses = { check: "plus", x: "minus", clock: "soft" } as const;
const iconOf = (state: string): "check" | "x" | "clock" => checkIcons[state] ?? "x";

function Progress({ progress, description }: { readonly progress: CheckProgress | undefined; readonly description: string }): Html {
  const texts = useTexts(pullTexts).checkProgress;
  if (progress === undefined) return description;
  if (progress.state === "success" || progress.state === "failure") return texts[progress.state](progress.seconds);
  if (progress.state !== "invalid") return texts[progress.state];
  const { path, mistake } = progress;
  return (
    <>
      {mistake?.line === undefined ? path : `${path}:${mistake.line}`}: {mistake && <MistakeText {...mistake} />}
    </>
  );
}

/** @param props.isComplete whether each required check has reported: without one, the reported checks are not all checks */
function Checks({ state, statuses, progress, isComplete }: ShownChecks & { readonly isComplete: boolean }): Html {
  const texts = useTexts(pullTexts);
  if (statuses.length === 0) return null;
  return (
    <section class="box">
      <header>
        <Icon name="check-circle" />
        <h2>{texts.checks}</h2>
        <span class="end">{texts.checkStates[state === "success" && !isComplete ? "pending" : state]}</span>
      </header>
      <ul class="within plain-list">
        {statuses.map((status) => (
          <li>
            <span class={checkClasses[iconOf(status.state)]}>
              <Icon name={iconOf(status.state)} label={texts.checkLabels[iconOf(status.state)]} />
            </span>{" "}
            <strong>{status.context}</strong>{" "}
            <span class="soft">
              <Progress progress={progress.get(status.targetUrl)} description={status.description} />
            </span>
            {status.targetUrl !== "" && (
              <>
                {" "}
                <a href={status.targetUrl} rel="nofollow noopener">
                  {texts.checkDetails}
                </a>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
