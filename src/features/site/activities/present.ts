import type { Actor } from "../../../access/actor.ts";
import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Commit } from "../../../git/types.ts";
import type { Activity, UserHeatmapData } from "../../../wire/activity.ts";
import { presentUser } from "../../accounts/users/present.ts";
import { createIssuePresenter } from "../../collaboration/issues/present.ts";
import { gitTime } from "../../repositories/branches/present.ts";
import { presentRepositories } from "../../repositories/repos/present.ts";
import type { ActivityView, ContributionView, PushView } from "./model.ts";

/** @param feedOf the account of the feed; a repository's feed has none */
export function presentActivities(activities: readonly ActivityView[], viewer: Actor, urls: Urls, feedOf?: number): Activity[] {
  const distinct = new Map(activities.map(({ repository }) => [repository.id, repository]));
  const repositories = new Map(presentRepositories([...distinct.values()], viewer, urls).map((repository) => [repository.id, repository]));
  const issues = createIssuePresenter(viewer, urls);
  return activities.map((activity) => ({
    id: activity.id,
    user_id: feedOf ?? activity.actor.id,
    op_type: activity.kind,
    act_user_id: activity.actor.id,
    act_user: presentUser(activity.actor, viewer, urls),
    repo_id: activity.repository.id,
    repo: repositories.get(activity.repository.id) ?? null,
    comment_id: activity.commentId ?? 0,
    // @compat Gitea sends no author: it is the actor (activities/api.test.ts).
    comment: activity.comment === undefined ? null : { ...issues.comment(activity.comment), user: null },
    ref_name: activity.refName,
    is_private: activity.repository.isPrivate,
    content: contentOf(activity),
    created: formatTime(activity.createdMs),
  }));
}

/** Maximum length of the quoted start of a comment. */
const commentStart = 200;

function contentOf({ push, subject, comment, repository }: ActivityView): string {
  if (push !== undefined) return presentPush(push, `${repository.owner.name}/${repository.name}`);
  return comment === undefined ? subject : subject + comment.content.slice(0, commentStart).toWellFormed();
}

/** Maximum number of commits listed in a push's content; the others are counted. */
const namedCommits = 5;

/** @compat the content of a push is JSON inside JSON, with names of its own (activities/api.test.ts) */
function presentPush({ commits, oldOid, newOid }: PushView, fullName: string): string {
  const [head] = commits;
  return JSON.stringify({
    Commits: commits.slice(0, namedCommits).map(presentPushed),
    HeadCommit: head === undefined ? null : presentPushed(head),
    CompareURL: oldOid === undefined ? "" : `${fullName}/compare/${oldOid}...${newOid}`,
    Len: commits.length,
  });
}

const presentPushed = ({ oid, message, author, committer }: Commit) => ({
  Sha1: oid,
  Message: message,
  AuthorEmail: author.email,
  AuthorName: author.name,
  CommitterEmail: committer.email,
  CommitterName: committer.name,
  Timestamp: gitTime(committer),
});

export const presentContribution = ({ startMs, count }: ContributionView): UserHeatmapData => ({ timestamp: startMs / 1000, contributions: count });
