import { commitPath, issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import type { Html } from "../../../../../ui/html.ts";
import { LabelChip } from "../../../../../ui/labels.tsx";
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
}

/** One line for a timeline event; empty for events without information for readers, or about content that they cannot see. */
export function TimelineEvent({ repository, entry, labels, now }: TimelineEventProps): Html {
  const texts = useTexts(issueTexts);
  const told = entry.kind === "label" ? tellLabels(texts.events, repository, entry, labels) : tell(texts.events, repository, entry);
  if (told === undefined) return null;
  return (
    <li class="event" id={`event-${entry.id}`}>
      <Person user={entry.poster} /> {told} <Ago ms={entry.createdMs} now={now} />
    </li>
  );
}

function tell(events: TextsOf<typeof issueTexts>["events"], repository: RepositoryName, entry: TimelineView): Html | undefined {
  switch (entry.kind) {
    case "close":
      return events.close;
    case "reopen":
      return events.reopen;
    case "lock":
      return entry.content === "" ? events.locked : [events.locked, ": ", entry.content];
    case "unlock":
      return events.unlocked;
    case "pin":
      return events.pinned;
    case "unpin":
      return events.unpinned;
    case "added_deadline":
    case "modified_deadline":
      return [events.deadlineSet, " ", <strong>{entry.content.split("|")[0]}</strong>];
    case "removed_deadline":
      return events.deadlineCleared;
    case "add_dependency":
    case "remove_dependency":
      return tellDependency(events, entry);
    case "add_time_manual":
    case "stop_tracking":
      return [events.timeTracked, " ", entry.content];
    case "delete_time_manual":
      return [events.timeDeleted, " ", entry.content];
    case "change_time_estimate":
      return entry.content === "0" ? events.estimateCleared : [events.estimateSet, " ", timeText(Number(entry.content))];
    case "start_tracking":
      return events.timeStarted;
    case "cancel_tracking":
      return events.timeCancelled;
    case "assignees":
      return entry.assignee && [entry.facts.isAssigneeRemoved === true ? events.unassigned : events.assigned, " ", <Person user={entry.assignee} />];
    case "milestone":
      return tellMilestone(events, entry);
    case "change_title":
      return [events.renamed, " ", <em>{entry.facts.newTitle}</em>];
    case "issue_ref":
    case "comment_ref":
    case "pull_ref":
      return (
        entry.refIssue && [
          events.referenced,
          " ",
          <a href={(entry.refIssue.isPull ? pullPath : issuePath)(entry.refIssue.place, entry.refIssue.number)}>{entry.refIssue.title}</a>,
        ]
      );
    case "review_request":
      return tellRequest(events, entry);
    case "dismiss_review":
      return entry.content === "" ? events.reviewDismissed : [events.reviewDismissed, ": ", entry.content];
    case "merge_pull":
      return [events.merged, " ", <Oid repository={repository} oid={entry.facts.commitOid} />];
    case "pull_push":
      return [events.pushed, " ", <Oid repository={repository} oid={entry.facts.commitOid} />];
    case "change_target_branch":
      return [events.retargeted, " ", <code>{entry.facts.oldRef}</code>, " → ", <code>{entry.facts.newRef}</code>];
    case "delete_branch":
      return [events.branchDeleted, " ", <code>{entry.facts.oldRef}</code>];
    case "pull_scheduled_merge":
      return events.mergeScheduled;
    case "pull_cancel_scheduled_merge":
      return events.mergeUnscheduled;
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

/** Text for an added or removed dependency, if the reader can see the other issue. */
const tellDependency = (events: TextsOf<typeof issueTexts>["events"], { kind, dependentIssue: other }: TimelineView): Html | undefined =>
  other && [
    kind === "add_dependency" ? events.dependencyAdded : events.dependencyRemoved,
    " ",
    <a href={(other.isPull ? pullPath : issuePath)(other.place, other.number)}>{other.title}</a>,
  ];

/** Text for a requested or withdrawn review. */
function tellRequest(events: TextsOf<typeof issueTexts>["events"], { assignee, assigneeTeam, facts }: TimelineView): Html | undefined {
  const asked = assignee === undefined ? assigneeTeam?.team.name : <Person user={assignee} />;
  return asked && [facts.isAssigneeRemoved === true ? events.reviewUnrequested : events.reviewRequested, " ", asked];
}

function tellLabels(
  events: TextsOf<typeof issueTexts>["events"],
  repository: RepositoryName,
  { content }: TimelineView,
  labels: readonly LabelView[],
): Html | undefined {
  if (labels.length === 0) return undefined;
  const verb = content === "1" ? events.labelsAdded : events.labelsRemoved;
  const path = `${repositoryPath(repository)}/issues`;
  const chips = labels.map(({ name, color }) => <LabelChip name={name} color={color} href={withQuery(path, { q: `is:open label:"${name}"` })} />);
  return [verb(labels.length), ...chips.flatMap((chip) => [" ", chip])];
}

function tellMilestone(events: TextsOf<typeof issueTexts>["events"], { milestone, oldMilestone }: TimelineView): Html | undefined {
  if (milestone !== undefined) return [events.milestoneSet, " ", <strong>{milestone.title}</strong>];
  return oldMilestone && [events.milestoneCleared, " ", <strong>{oldMilestone.title}</strong>];
}
