import { type Actor, isSiteAdmin, isUser } from "../../../../../access/actor.ts";
import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Clock } from "../../../../../core/clock.ts";
import type { Reader } from "../../../../../db/db.ts";
import { loadUsersInOrder } from "../../../../accounts/users/service/accounts.ts";
import { listAssignees } from "../../../../repositories/repos/service/collaborators.ts";
import { givableLabels } from "../../../labels/service/resolve.ts";
import { listMilestones } from "../../../milestones/service.ts";
import { loadIssueBranches } from "../../development/service.ts";
import { listConnections } from "../../development/store.ts";
import { isSubscribed } from "../../links/service/subscriptions.ts";
import { findInterest, listParticipantIds } from "../../links/store/subscriptions.ts";
import type { IssueView } from "../../model.ts";
import { canCommentOn, canWriteIssue } from "../../rights.ts";
import { loadReadableIssues } from "../../search/service/readable-issues.ts";
import { findStopwatch, findTrackerSettings, listLastTimes, sumTimes } from "../../times/store.ts";
import type { PlanChoices, SidebarProps, TimeSidebarProps } from "../sidebar-props.ts";

interface SideDeps {
  readonly db: Reader;
  readonly clock: Clock;
}

/** Number of recent times in the sidebar that the reader can delete. */
const maxOwnTimes = 10;
const maxPeople = 50;
const maxParticipants = 20;
const maxMilestones = { page: 1, limit: 100, offset: 0 };

/** Values that issues of a repository can have. Two statements. */
export async function planChoices({ db }: { readonly db: Reader }, repository: RepositorySubject): Promise<PlanChoices> {
  const { items: milestones } = await listMilestones({ db }, repository, { state: "open", text: "" }, maxMilestones);
  return { labels: await givableLabels(db, repository), milestones };
}

/** The same for readers who can change several listed issues at once; undefined for others. */
export const bulkChoices = async (
  deps: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  isPull: boolean,
): Promise<PlanChoices | undefined> =>
  isUser(actor) && !repository.isArchived && canWriteIssue(repository, { isPull }) ? planChoices(deps, repository) : undefined;

/** The sidebar of an issue. A constant number of statements. */
export async function loadSide(deps: SideDeps, actor: Actor, repository: RepositorySubject, issue: IssueView): Promise<SidebarProps> {
  const { db } = deps;
  const mayWrite = isUser(actor) && !repository.isArchived && canWriteIssue(repository, issue);
  // Times and links are only shown to signed-in users.
  const settings = isUser(actor) ? await findTrackerSettings(db, repository.id) : undefined;
  const interest = isUser(actor) ? await findInterest(db, issue.id, actor.id) : undefined;
  const { waitsFor, blocks, linked } = await loadConnected(deps, actor, repository, issue);
  return {
    choices: mayWrite ? { ...(await planChoices(deps, repository)), people: (await listAssignees(deps, repository)).slice(0, maxPeople) } : undefined,
    self: isUser(actor) ? actor.name : undefined,
    participants: await loadUsersInOrder(deps, await listParticipantIds(db, issue.id, maxParticipants)),
    isSubscribed: interest && isSubscribed(interest),
    ignoresRepository: interest?.ignoresRepository === true,
    waitsFor,
    blocks,
    development: { linked, ...(await loadIssueBranches(deps, actor, repository, issue)) },
    linksDependencies: mayWrite && settings?.enableIssueDependencies === true,
    time: settings?.enableTimeTracker === true ? await loadTime(deps, actor, repository, issue, settings.allowOnlyContributorsToTrackTime) : undefined,
    canModerate: mayWrite && atLeast(repository.right.mode, "admin"),
  };
}

/** The issues and pull requests beside an issue that the reader can see. */
async function loadConnected(
  deps: SideDeps,
  actor: Actor,
  repository: RepositorySubject,
  issue: IssueView,
): Promise<Readonly<Record<"waitsFor" | "blocks" | "linked", readonly IssueView[]>>> {
  const { dependencies, blocks, linked } = await listConnections(deps.db, issue);
  const readable = await loadReadableIssues(deps, actor, repository, [...new Set([...dependencies, ...blocks, ...linked])]);
  const among = (ids: readonly number[]): readonly IssueView[] => readable.filter(({ id }) => ids.includes(id));
  return { waitsFor: among(dependencies), blocks: among(blocks), linked: among(linked) };
}

async function loadTime(
  { db, clock }: SideDeps,
  actor: Actor,
  repository: RepositorySubject,
  issue: IssueView,
  isForContributors: boolean,
): Promise<TimeSidebarProps | undefined> {
  if (!isUser(actor)) return undefined;
  const writes = canWriteIssue(repository, issue);
  const running = await findStopwatch(db, actor.id);
  const isHere = running?.issueId === issue.id;
  return {
    trackedSeconds: await sumTimes(db, issue.id, writes || isSiteAdmin(actor) ? undefined : actor.id),
    ownTimes: await listLastTimes(db, { issueId: issue.id, accountId: actor.id }, maxOwnTimes),
    canTrack: !repository.isArchived && canCommentOn(repository, issue) && (writes || !isForContributors),
    runningSeconds: isHere ? Math.max(0, Math.round((clock.now() - running.createdMs) / 1_000)) : undefined,
  };
}
