import { commitPath, issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../../ui/icons.tsx";
import { LabelChip } from "../../../../../ui/labels.tsx";
import { fill } from "../../../../../ui/texts/fill.ts";
import { type TextsOf, useTexts } from "../../../../../ui/texts/texts.ts";
import { Ago } from "../../../../../ui/time.tsx";
import type { LabelView } from "../../../labels/model.ts";
import type { TimelineView } from "../../model.ts";
import { issueTexts } from "../../texts/texts.ts";
import { timeText } from "../../times/time-text.ts";
import { Person } from "../../views/person.tsx";

export interface TimelineEventProps {
  readonly repository: RepositoryName;
  readonly entry: TimelineView;
  /** Labels of this entry and of the entries joined with it. */
  readonly labels: readonly LabelView[];
  readonly now: number;
  /** Replaces the sentence of the event with its time. */
  readonly sentence?: Html;
  /** Content below the sentence. */
  readonly below?: Html;
  readonly isPull?: boolean | undefined;
}

/** One line for a timeline event; empty for events without information for readers, or about content that they cannot see. */
export function TimelineEvent({ repository, entry, labels, now, sentence: own, below, isPull = false }: TimelineEventProps): Html {
  const texts = useTexts(issueTexts);
  const phrase = entry.kind === "label" ? labelsPhrase(texts.events, repository, entry, labels) : phraseOf(texts.events, repository, entry);
  if (own === undefined && phrase === undefined) return null;
  return (
    <li class="event" id={`event-${entry.id}`}>
      <EventMark kind={entry.kind} isPull={isPull} />
      <Person user={entry.poster} formerName={entry.originalAuthor} avatarSize={16} /> {own ?? said(phrase, <Ago ms={entry.createdMs} now={now} />)}
      {below}
    </li>
  );
}

/** The icon of an event, and its color if the event changes the state. */
const marks: Partial<Record<TimelineView["kind"], readonly [icon: IconName, color?: "good" | "bad" | "done"]>> = {
  close: ["issue-closed", "done"],
  reopen: ["issue-opened", "good"],
  merge_pull: ["git-merge", "done"],
  label: ["tag"],
  milestone: ["milestone"],
  assignees: ["person"],
  review_request: ["eye"],
  dismiss_review: ["x"],
  lock: ["lock"],
  unlock: ["unlock"],
  pin: ["pin"],
  unpin: ["pin"],
  transfer: ["arrow-right"],
  change_title: ["pencil"],
  issue_ref: ["cross-reference"],
  comment_ref: ["cross-reference"],
  pull_ref: ["cross-reference"],
  pull_push: ["repo-push"],
  change_target_branch: ["git-branch"],
  delete_branch: ["git-branch"],
  pull_scheduled_merge: ["git-merge"],
  pull_cancel_scheduled_merge: ["git-merge"],
  added_deadline: ["calendar"],
  modified_deadline: ["calendar"],
  removed_deadline: ["calendar"],
  add_dependency: ["link"],
  remove_dependency: ["link"],
  add_time_manual: ["stopwatch"],
  delete_time_manual: ["stopwatch"],
  start_tracking: ["stopwatch"],
  stop_tracking: ["stopwatch"],
  cancel_tracking: ["stopwatch"],
  change_time_estimate: ["stopwatch"],
};

/** Only issues are completed when they are closed. */
const pullMarks: typeof marks = { close: ["git-pull-request-closed", "bad"], reopen: ["git-pull-request", "good"] };

function EventMark({ kind, isPull }: { readonly kind: TimelineView["kind"]; readonly isPull: boolean }): Html {
  const [icon, color] = (isPull ? pullMarks[kind] : undefined) ?? marks[kind] ?? ["dot-fill"];
  return (
    <span class={color === undefined ? "mark" : `mark ${color}`}>
      <Icon name={icon} />
    </span>
  );
}

/** The text of an event, and what the event is about if the text names it. */
type Phrase = readonly [text: string, object?: Html] | undefined;

const said = (phrase: Phrase, when: Html): Html => phrase && fill<Html>(phrase[0], { object: phrase[1], when });

function phraseOf(events: TextsOf<typeof issueTexts>["events"], repository: RepositoryName, entry: TimelineView): Phrase {
  switch (entry.kind) {
    case "close":
      return [events.closedAs[entry.payload.closeReason ?? ""]];
    case "reopen":
      return [events.reopen];
    case "lock":
      return entry.content === "" ? [events.locked] : [events.lockedAs, entry.content];
    case "unlock":
      return [events.unlocked];
    case "pin":
      return [events.pinned];
    case "unpin":
      return [events.unpinned];
    case "added_deadline":
    case "modified_deadline":
      return [events.deadlineSet, <strong>{entry.content.split("|")[0]}</strong>];
    case "removed_deadline":
      return [events.deadlineCleared];
    case "add_dependency":
    case "remove_dependency":
      return dependencyPhrase(events, entry);
    case "transfer":
      return transferPhrase(events, entry);
    case "add_time_manual":
    case "stop_tracking":
      return [events.timeTracked, entry.content];
    case "delete_time_manual":
      return [events.timeDeleted, entry.content];
    case "change_time_estimate":
      return entry.content === "0" ? [events.estimateCleared] : [events.estimateSet, timeText(Number(entry.content))];
    case "start_tracking":
      return [events.timeStarted];
    case "cancel_tracking":
      return [events.timeCancelled];
    case "assignees":
      return (
        entry.assignee && [entry.payload.isAssigneeRemoved === true ? events.unassigned : events.assigned, <Person user={entry.assignee} avatarSize={16} />]
      );
    case "milestone":
      return milestonePhrase(events, entry);
    case "change_title":
      return [events.renamed, <em>{entry.payload.newTitle}</em>];
    case "issue_ref":
    case "comment_ref":
    case "pull_ref":
      return (
        entry.refIssue && [
          events.referenced,
          <a href={(entry.refIssue.isPull ? pullPath : issuePath)(entry.refIssue.place, entry.refIssue.number)}>{entry.refIssue.title}</a>,
        ]
      );
    case "review_request":
      return requestPhrase(events, entry);
    case "dismiss_review":
      return entry.content === "" ? [events.reviewDismissed] : [events.reviewDismissedAs, entry.content];
    case "merge_pull":
      return [events.merged, <Oid repository={repository} oid={entry.payload.commitOid} />];
    case "pull_push":
      return [events.pushed, <Oid repository={repository} oid={entry.payload.commitOid} />];
    case "change_target_branch":
      return [events.retargeted, [<code>{entry.payload.oldRef}</code>, " → ", <code>{entry.payload.newRef}</code>]];
    case "delete_branch":
      return [events.branchDeleted, <code>{entry.payload.oldRef}</code>];
    case "pull_scheduled_merge":
      return [events.mergeScheduled];
    case "pull_cancel_scheduled_merge":
      return [events.mergeUnscheduled];
    default:
      return undefined;
  }
}

const Oid = ({ repository, oid }: { readonly repository: RepositoryName; readonly oid: string | undefined }): Html =>
  oid !== undefined && (
    <a class="oid" href={commitPath(repository, oid)}>
      {oid.slice(0, 10)}
    </a>
  );

/** An added or removed dependency, if the reader can see the other issue. */
const dependencyPhrase = (events: TextsOf<typeof issueTexts>["events"], { kind, dependentIssue: other }: TimelineView): Phrase =>
  other && [
    kind === "add_dependency" ? events.dependencyAdded : events.dependencyRemoved,
    <a href={(other.isPull ? pullPath : issuePath)(other.place, other.number)}>{other.title}</a>,
  ];

/** A requested or withdrawn review. */
function requestPhrase(events: TextsOf<typeof issueTexts>["events"], { assignee, assigneeTeam, payload }: TimelineView): Phrase {
  const requested = assignee === undefined ? assigneeTeam?.team.name : <Person user={assignee} avatarSize={16} />;
  return requested === undefined ? undefined : [payload.isAssigneeRemoved === true ? events.reviewUnrequested : events.reviewRequested, requested];
}

function labelsPhrase(
  events: TextsOf<typeof issueTexts>["events"],
  repository: RepositoryName,
  { content }: TimelineView,
  labels: readonly LabelView[],
): Phrase {
  if (labels.length === 0) return undefined;
  const text = content === "1" ? events.labelsAdded : events.labelsRemoved;
  const path = `${repositoryPath(repository)}/issues`;
  const chips = labels.map(({ name, color }) => <LabelChip name={name} color={color} href={withQuery(path, { q: `is:open label:"${name}"` })} />);
  return [text(labels.length), chips.flatMap((chip, at) => (at === 0 ? [chip] : [" ", chip]))];
}

/** Names the former repository to those who can read it. */
function transferPhrase(events: TextsOf<typeof issueTexts>["events"], { formerRepository, payload }: TimelineView): Phrase {
  if (formerRepository === undefined) return [events.transferred];
  const [ownerName = "", name = ""] = formerRepository.split("/");
  const { formerNumber = 0 } = payload;
  return [events.transferredFrom, <a href={issuePath({ ownerName, name }, formerNumber)}>{`${formerRepository}#${formerNumber}`}</a>];
}

function milestonePhrase(events: TextsOf<typeof issueTexts>["events"], { milestone, oldMilestone }: TimelineView): Phrase {
  if (milestone !== undefined) return [events.milestoneSet, <strong>{milestone.title}</strong>];
  return oldMilestone && [events.milestoneCleared, <strong>{oldMilestone.title}</strong>];
}
