import { type Actor, isSiteAdmin, isUser } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Reader } from "../../../db/db.ts";
import { givableLabels } from "../../labels/service/resolve.ts";
import { listMilestones } from "../../milestones/service.ts";
import type { PlanChoices, SideFacts, TimeFacts } from "../choices.ts";
import { speaksOn, writesIssue } from "../rights.ts";
import { listDependencies } from "../store/dependencies.ts";
import { findInterest } from "../store/subscriptions.ts";
import { findStopwatch, findTrackerSettings, sumTimes } from "../store/times.ts";
import type { IssueView } from "../view.ts";
import { loadReadableIssues } from "./elsewhere.ts";
import { isSubscribed } from "./subscriptions.ts";

interface SideDeps {
  readonly db: Reader;
  readonly clock: Clock;
}

const maxMilestones = { page: 1, limit: 100, offset: 0 };

/** What the issues of a repository may be given. Two statements. */
export async function planChoices({ db }: { readonly db: Reader }, repository: RepositorySubject): Promise<PlanChoices> {
  const { items: milestones } = await listMilestones({ db }, repository, { state: "open", text: "" }, maxMilestones);
  return { labels: await givableLabels(db, repository), milestones };
}

/** What stands beside an issue. A constant number of statements. */
export async function loadSide(deps: SideDeps, actor: Actor, repository: RepositorySubject, issue: IssueView): Promise<SideFacts> {
  const { db } = deps;
  const mayWrite = isUser(actor) && !repository.isArchived && writesIssue(repository, issue);
  const settings = await findTrackerSettings(db, repository.id);
  const [waitsFor, blocks] = await loadDependencies(deps, actor, repository, issue);
  return {
    choices: mayWrite ? await planChoices(deps, repository) : undefined,
    isSubscribed: isUser(actor) ? isSubscribed(await findInterest(db, issue.id, actor.id)) : undefined,
    waitsFor,
    blocks,
    linksDependencies: mayWrite && settings?.enableIssueDependencies === true,
    time: settings?.enableTimeTracker === true ? await loadTime(deps, actor, repository, issue, settings.allowOnlyContributorsToTrackTime) : undefined,
    canLock: mayWrite,
    canPin: mayWrite && atLeast(repository.right.mode, "admin"),
  };
}

async function loadDependencies(
  deps: SideDeps,
  actor: Actor,
  repository: RepositorySubject,
  { id }: IssueView,
): Promise<readonly [waitsFor: readonly IssueView[], blocks: readonly IssueView[]]> {
  const waitsFor = (await listDependencies(deps.db, id, "dependencies")).map((one) => one.id);
  const blocks = (await listDependencies(deps.db, id, "blocks")).map((one) => one.id);
  const readable = await loadReadableIssues(deps, actor, repository, [...new Set([...waitsFor, ...blocks])]);
  return [readable.filter((one) => waitsFor.includes(one.id)), readable.filter((one) => blocks.includes(one.id))];
}

async function loadTime(
  { db, clock }: SideDeps,
  actor: Actor,
  repository: RepositorySubject,
  issue: IssueView,
  isForContributors: boolean,
): Promise<TimeFacts | undefined> {
  if (!isUser(actor)) return undefined;
  const writes = writesIssue(repository, issue);
  const running = await findStopwatch(db, actor.id);
  const isHere = running?.issueId === issue.id;
  return {
    trackedSeconds: await sumTimes(db, issue.id, writes || isSiteAdmin(actor) ? undefined : actor.id),
    canTrack: !repository.isArchived && speaksOn(repository, issue) && (writes || !isForContributors),
    runningSeconds: isHere ? Math.max(0, Math.round((clock.now() - running.createdMs) / 1_000)) : undefined,
  };
}
