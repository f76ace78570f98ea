import { type Foreign, flagIn, idIn } from "../foreign-json.ts";
import type { Tracker, TrackerParts } from "../tracker.ts";
import { askAbout, type ForeignServer, listLinked, openForeignServer } from "./foreign-server.ts";
import { forgePath, type OpenSource } from "./gitea.ts";
import { highest, once, readAbout } from "./gitea-items.ts";
import { inTurns } from "./gitea-pulls.ts";
import { gitlabReactions, readGitlabIssue, readGitlabLabel, readGitlabMilestone, readGitlabRelease, readNote } from "./gitlab-items.ts";
import { type ListGitlab, readMergeRequest, readMergeReviews } from "./gitlab-merge-requests.ts";
import { type Reactable, readReactions } from "./reactions.ts";
import type { TrackerSource } from "./tracker-source.ts";

const pageSize = 100;

export interface OpenGitlab extends OpenSource {
  /** Imports confidential items, too. */
  readonly withConfidential: boolean;
}

/** Reads from GitLab (docs.gitlab.com/api, version 4). A project can be in nested groups. */
export function openGitlab({ from: { url, credentials }, token, withConfidential, ...options }: OpenGitlab): TrackerSource {
  forgePath(url);
  const project = encodeURIComponent(decodeURIComponent(url.pathname.slice(1).replace(/\.git$/, "")));
  const api = new URL(`${url.origin}/api/v4/projects/${project}`);
  // The API does not accept passwords; a password for git is a token, too.
  const secret = token === "" ? (credentials?.password ?? "") : token;
  const server = openForeignServer({ ...options, api, headers: secret === "" ? {} : { authorization: `Bearer ${secret}` } });
  return { server, issuer: url.origin, headPrefix: "refs/merge-requests/", read: (parts) => readTracker(server, parts, withConfidential) };
}

async function readTracker(server: ForeignServer, parts: TrackerParts, withConfidential: boolean): Promise<Tracker> {
  const list: ListGitlab = (path) => listLinked(server, `${path}${path.includes("?") ? "&" : "?"}per_page=${pageSize}`);
  const project = await askAbout(server);
  // Requests for disabled features fail instead of returning an empty list.
  const [hasIssues, hasRequests] = [parts.issues && project.issues_enabled !== false, parts.pulls && project.merge_requests_enabled !== false];
  const labels = once(parts.labels ? (await list("/labels")).flatMap(readGitlabLabel) : [], ({ id }) => id);
  const milestones = parts.milestones ? (await list("/milestones?include_ancestors=true")).flatMap(readGitlabMilestone) : [];
  const labelIds = new Map(labels.map(({ name, id }) => [name, id]));
  const mayCome = (of: Foreign): boolean => withConfidential || (!flagIn(of, "confidential") && !flagIn(of, "internal"));
  const foundIssues = hasIssues ? await list("/issues?scope=all&state=all&order_by=created_at&sort=asc") : [];
  const issues = once(
    foundIssues.filter(mayCome).flatMap((issue) => readGitlabIssue(issue, labelIds)),
    ({ number }) => number,
  );
  // Issues and merge requests are numbered separately. If both are imported, merge requests are numbered after the issues.
  const offset = highest(foundIssues.map((issue) => idIn(issue, "iid")));
  const found = hasRequests ? await list("/merge_requests?scope=all&state=all&order_by=created_at&sort=asc") : [];
  const pulls = once(
    found.flatMap((request) => readMergeRequest(request, readGitlabIssue(request, labelIds), offset)),
    ({ number }) => number,
  );
  const withNotes = foundIssues.filter((issue) => mayCome(issue) && idIn(issue, "user_notes_count") > 0);
  const issueNotes = await inTurns(withNotes, async (issue) => {
    const iid = idIn(issue, "iid");
    return (await list(`/issues/${iid}/notes?sort=asc`)).filter(mayCome).flatMap((note) => readNote(note, iid));
  });
  const merging = await readMergeReviews(list, { pulls, offset, mayCome });
  const comments = once([...issueNotes, ...merging.comments], ({ id }) => id);
  const reactions = await readReactions(gitlabReactions(list), reactablesIn({ issues, pulls, comments, offset }));
  const releases = parts.releases ? (await list("/releases")).flatMap(readGitlabRelease) : [];
  return {
    about: readAbout(project, ""),
    ...{ labels, issues, pulls, comments, reactions, reviews: merging.reviews },
    milestones: once(milestones, ({ id }) => id),
    releases: once(releases, ({ tagName }) => tagName),
    lastNumber: Math.max(offset, highest(pulls.map(({ number }) => number))),
  };
}

/** The items to request reactions for, because no list includes reaction counts. */
function reactablesIn({ issues, pulls, comments, offset }: Pick<Tracker, "issues" | "pulls" | "comments"> & { readonly offset: number }): readonly Reactable[] {
  const places = new Map([
    ...issues.map(({ number }) => [number, `/issues/${number}`] as const),
    ...pulls.map(({ number }) => [number, `/merge_requests/${number - offset}`] as const),
  ]);
  return [
    ...[...places].map(([issueNumber, path]) => ({ issueNumber, commentId: null, path: `${path}/award_emoji` })),
    ...comments.map(({ id, issueNumber }) => ({ issueNumber, commentId: id, path: `${places.get(issueNumber) ?? ""}/notes/${id}/award_emoji` })),
  ];
}
