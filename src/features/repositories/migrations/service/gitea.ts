import type { OutgoingClient } from "../../../../outgoing/client.ts";
import type { GitAddress } from "../../../../outgoing/git-address.ts";
import { asObject, type Foreign, objectsIn } from "../foreign-json.ts";
import type { Tracker, TrackerParts } from "../tracker.ts";
import { ask, askAbout, ForeignApiError, type ForeignServer, openForeignServer, parseAnswer, requireFew } from "./foreign-server.ts";
import { numberOf, readIssue } from "./gitea-issues.ts";
import { highest, once, readAbout, readComment, readLabel, readMilestone, readRelease } from "./gitea-items.ts";
import { readPull, readReviews } from "./gitea-pulls.ts";
import { namedReactions, reactablesIn, readReactions } from "./reactions.ts";
import type { TrackerSource } from "./tracker-source.ts";

const pageSize = 50;

export interface OpenSource {
  readonly client: OutgoingClient;
  readonly from: GitAddress;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly progress: ForeignServer["progress"];
}

/** Reads from a server with Gitea's API, such as Gitea or Forgejo. */
export function openGitea({ from: { url, credentials }, token, ...options }: OpenSource): TrackerSource {
  const [prefix, owner, name] = forgePath(url);
  const basic = credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`;
  const authorization = token === "" ? basic : `token ${token}`;
  const api = new URL(`${url.origin}${prefix}/api/v1/repos/${owner}/${name}`);
  const server = openForeignServer({ ...options, api, headers: authorization === undefined ? {} : { authorization } });
  return { server, issuer: `${url.origin}${prefix}`, headPrefix: "refs/pull/", read: (parts) => readTracker(server, parts) };
}

/** Splits the clone URL of a repository on a forge: `https://host/prefix/owner/name.git`. @throws RemoteError for any other URL */
export function forgePath(url: URL): readonly [prefix: string, owner: string, name: string] {
  const [, prefix = "", owner, name] = /^(.*?)\/([^/]+)\/([^/]+?)(?:\.git)?$/.exec(url.pathname) ?? [];
  if (url.protocol === "git:" || owner === undefined || name === undefined) {
    throw new ForeignApiError("the address is not that of a repository on a forge", { failure: "api" });
  }
  return [prefix, owner, name];
}

async function readTracker(server: ForeignServer, parts: TrackerParts): Promise<Tracker> {
  const list = (path: string): Promise<readonly Foreign[]> => readList(server, path);
  const about = await askAbout(server);
  // Older versions have a separate endpoint.
  const topics = Array.isArray(about.topics) ? about : await readTopics(server);
  const labels = parts.labels ? (await list("/labels?")).flatMap(readLabel) : [];
  const milestones = parts.milestones ? (await list("/milestones?state=all")).flatMap(readMilestone) : [];
  const found = parts.issues || parts.pulls ? await list("/issues?state=all&type=all") : [];
  // The issue list includes pull requests. If these are omitted, their numbers stay unused.
  const issues = once(parts.issues ? found.filter((one) => !isPull(one)).flatMap(readIssue) : [], ({ number }) => number);
  const pulls = once(parts.pulls ? (await list("/pulls?state=all")).flatMap(readPull) : [], ({ number }) => number);
  const comments = once(parts.issues || parts.pulls ? (await list("/issues/comments?")).flatMap(readComment) : [], ({ id }) => id);
  // No list includes reaction counts.
  const reactions = await readReactions(
    namedReactions((path) => list(`${path}?`)),
    reactablesIn([...issues, ...pulls], comments),
  );
  const releases = parts.releases ? (await list("/releases?")).flatMap((release) => readRelease(release, "browser_download_url")) : [];
  return {
    about: readAbout({ ...about, topics: topics.topics }, "website"),
    labels: once(labels, ({ id }) => id),
    milestones: once(milestones, ({ id }) => id),
    ...{ issues, pulls, comments, reactions },
    reviews: once(await readReviews(list, pulls), ({ id }) => id),
    releases: once(releases, ({ tagName }) => tagName),
    lastNumber: highest([...found.map(numberOf), ...pulls.map(({ number }) => number)]),
  };
}

async function readTopics(server: ForeignServer): Promise<Foreign> {
  const answer = await ask(server, new URL(`${server.api.href}/topics?limit=${pageSize}`));
  return answer === undefined ? {} : asObject(await parseAnswer(answer));
}

export const isPull = (of: Foreign): boolean => of.pull_request !== null && of.pull_request !== undefined;

async function readList(server: ForeignServer, path: string): Promise<readonly Foreign[]> {
  const items: Foreign[] = [];
  let before: Buffer | undefined;
  for (let page = 1; ; page += 1) {
    const answer = await ask(server, new URL(`${server.api.href}${path}&limit=${pageSize}&page=${page}`));
    const some = answer === undefined ? [] : objectsIn(await parseAnswer(answer));
    // Unpaged lists, and servers that ignore the page, return the same content forever.
    if (answer === undefined || some.length === 0 || before?.equals(answer.bytes)) return items;
    items.push(...requireFew(items.length, some));
    // Some servers send the total.
    if (items.length >= Number(answer.headers["x-total-count"] ?? Number.POSITIVE_INFINITY)) return items;
    before = answer.bytes;
  }
}
