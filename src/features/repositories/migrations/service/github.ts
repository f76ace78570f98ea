import { type Foreign, flagIn, idIn, objectIn } from "../foreign-json.ts";
import type { ForeignIssue, Tracker, TrackerParts } from "../tracker.ts";
import { askAbout, type ForeignServer, listLinked, openForeignServer } from "./foreign-server.ts";
import { forgePath, isPull, type OpenSource } from "./gitea.ts";
import { numberOf, readIssue as readGiteaIssue } from "./gitea-issues.ts";
import { highest, once, readAbout, readComment, readLabel, readMilestone, readRelease } from "./gitea-items.ts";
import { readGithubPull, readGithubReviews } from "./github-pulls.ts";
import { namedReactions, reactablesIn, readReactions } from "./reactions.ts";
import type { TrackerSource } from "./tracker-source.ts";

const pageSize = 100;

/** Reads from GitHub, or GitHub Enterprise on its own host (docs.github.com/rest, version 2022-11-28). */
export function openGithub({ from: { url, credentials }, token, ...options }: OpenSource): TrackerSource {
  const [, owner, name] = forgePath(url);
  const isPublic = /^(?:www\.)?github\.com$/.test(url.hostname);
  const api = new URL(`${isPublic ? "https://api.github.com" : `${url.origin}/api/v3`}/repos/${owner}/${name}`);
  const basic = credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`;
  const authorization = token === "" ? basic : `Bearer ${token}`;
  const headers = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28", ...(authorization !== undefined && { authorization }) };
  const server = openForeignServer({ ...options, api, headers });
  return { server, issuer: undefined, headPrefix: "refs/pull/", read: (parts) => readTracker(server, parts) };
}

async function readTracker(server: ForeignServer, parts: TrackerParts): Promise<Tracker> {
  const list = (path: string): Promise<readonly Foreign[]> => listLinked(server, `${path}${path.includes("?") ? "&" : "?"}per_page=${pageSize}`);
  const about = readAbout(await askAbout(server), "homepage");
  const labels = parts.labels ? (await list("/labels")).flatMap(readLabel) : [];
  const milestones = parts.milestones ? (await list("/milestones?state=all")).flatMap(readMilestone) : [];
  const found = parts.issues || parts.pulls ? await list("/issues?state=all&sort=created&direction=asc") : [];
  const issues = parts.issues ? found.filter((one) => !isPull(one)).flatMap(readIssue) : [];
  const pulls = parts.pulls ? (await list("/pulls?state=all&sort=created&direction=asc")).flatMap((pull) => readGithubPull(pull, readIssue(pull))) : [];
  const foreignComments = parts.issues || parts.pulls ? await list("/issues/comments?sort=created&direction=asc") : [];
  const comments = foreignComments.flatMap(readComment);
  // Files of private repositories are only available through the API.
  const releases = parts.releases ? (await list("/releases")).flatMap((release) => readRelease(release, "url")) : [];
  return {
    about,
    labels: once(labels, ({ id }) => id),
    milestones: once(milestones, ({ id }) => id),
    issues: once(issues, ({ number }) => number),
    pulls: once(pulls, ({ number }) => number),
    reviews: parts.pulls ? once(await readGithubReviews(list, pulls), ({ id }) => id) : [],
    comments: once(comments, ({ id }) => id),
    reactions: await readReactions(
      namedReactions(list),
      reactablesIn(found.filter(hasReactions).flatMap(readIssue), foreignComments.filter(hasReactions).flatMap(readComment)),
    ),
    releases: once(releases, ({ tagName }) => tagName),
    lastNumber: highest([...found.map(numberOf), ...pulls.map(({ number }) => number)]),
  };
}

const hasReactions = (of: Foreign): boolean => idIn(objectIn(of, "reactions"), "total_count") > 0;

const readIssue = (of: Foreign): ForeignIssue[] => readGiteaIssue(of).map((issue) => ({ ...issue, isLocked: flagIn(of, "locked") }));
