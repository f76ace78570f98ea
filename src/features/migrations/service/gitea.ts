import type { OutgoingClient } from "../../../outgoing/client.ts";
import { readAtMost } from "../../../outgoing/client.ts";
import type { GitAddress } from "../../../outgoing/git-address.ts";
import { RemoteError } from "../../../outgoing/git-connection.ts";
import { readColor } from "../../labels/color.ts";
import { type Foreign, flagIn, idIn, objectsIn, textIn, timeIn } from "../foreign-json.ts";
import type { ForeignComment, ForeignFile, ForeignLabel, ForeignMilestone, ForeignRelease, Tracker, TrackerParts } from "../tracker.ts";
import { authorOf, longest, numberOf, readIssue } from "./gitea-issues.ts";
import { readPull, readReviews } from "./gitea-pulls.ts";

/** A server of this interface: Gitea, Forgejo, or one like this. */
export interface ForeignServer {
  readonly client: OutgoingClient;
  /** Of the repository below `/api/v1`. */
  readonly api: URL;
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
}

const pageSize = 50;
const pageBytes = 32 * 1024 * 1024;
const allBytes = 512 * 1024 * 1024;
/** Of one kind; no server is asked for more, whatever it says that there is. */
const maxItems = 100_000;
const requestMs = 120_000;

/** Where the interface has the repository that git finds at an address: `https://host/prefix/owner/name.git`. */
export function openGitea(client: OutgoingClient, { url, credentials }: GitAddress, token: string, signal: AbortSignal): ForeignServer {
  const [, prefix = "", owner, name] = /^(.*?)\/([^/]+)\/([^/]+?)(?:\.git)?$/.exec(url.pathname) ?? [];
  if (url.protocol === "git:" || owner === undefined) throw new RemoteError("the address is none of a repository on a forge", { reason: "protocol" });
  const basic = credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`;
  return { client, signal, api: new URL(`${url.origin}${prefix}/api/v1/repos/${owner}/${name}`), authorization: token === "" ? basic : `token ${token}` };
}

/**
 * Reads what a repository has beside its code, page by page and within bounds. What cannot be read as what it should be is left out or cut.
 * @throws OutgoingError, RemoteError
 */
export async function readTracker(server: ForeignServer, parts: TrackerParts): Promise<Tracker> {
  const budget = { bytes: allBytes };
  const list = (path: string): Promise<readonly Foreign[]> => readList(server, path, budget);
  const labels = parts.labels ? (await list("/labels?")).flatMap(readLabel) : [];
  const milestones = parts.milestones ? (await list("/milestones?state=all")).flatMap(readMilestone) : [];
  const found = parts.issues || parts.pulls ? await list("/issues?state=all&type=all") : [];
  // Pull requests are among the issues, and where they stay away, their numbers stay free.
  const issues = parts.issues ? found.filter((one) => !isPull(one)).flatMap(readIssue) : [];
  const pulls = once(parts.pulls ? (await list("/pulls?state=all")).flatMap(readPull) : [], ({ number }) => number);
  const comments = parts.issues || parts.pulls ? (await list("/issues/comments?")).flatMap(readComment) : [];
  const releases = parts.releases ? (await list("/releases?")).flatMap(readRelease) : [];
  return {
    labels: once(labels, ({ id }) => id),
    milestones: once(milestones, ({ id }) => id),
    issues: once(issues, ({ number }) => number),
    pulls,
    reviews: once(await readReviews(list, pulls), ({ id }) => id),
    comments: once(comments, ({ id }) => id),
    releases: once(releases, ({ tagName }) => tagName),
    lastNumber: [...found.map(numberOf), ...pulls.map(({ number }) => number)].reduce((most, number) => Math.max(most, number), 0),
  };
}

const isPull = (of: Foreign): boolean => of.pull_request !== null && of.pull_request !== undefined;

/** A server may say the same twice, when something has moved to the next page meanwhile. */
const once = <T>(items: readonly T[], keyOf: (item: T) => unknown): readonly T[] => [...new Map(items.map((item) => [keyOf(item), item])).values()];

async function readList(server: ForeignServer, path: string, budget: { bytes: number }): Promise<readonly Foreign[]> {
  const items: Foreign[] = [];
  let before = "";
  for (let page = 1; ; page += 1) {
    const { text, total } = await readPage(server, `${path}&limit=${pageSize}&page=${page}`, budget);
    const some = objectsIn(parse(text));
    // Lists without pages, and servers that lead in a circle, answer the same for ever.
    if (some.length === 0 || text === before) return items;
    items.push(...some);
    if (items.length > maxItems) throw new RemoteError(`the remote has more than ${maxItems} entries in a list`, { reason: "refused" });
    if (items.length >= total) return items;
    before = text;
  }
}

interface ListPage {
  readonly text: string;
  /** Of all pages together, where the server says it; infinite where it does not. */
  readonly total: number;
}

async function readPage({ client, api, authorization, signal }: ForeignServer, path: string, budget: { bytes: number }): Promise<ListPage> {
  const headers = { accept: "application/json", "user-agent": "hearth", ...(authorization !== undefined && { authorization }) };
  const answer = await client.send({ method: "GET", url: new URL(api.href + path), headers, timeoutMs: requestMs, signal });
  if (answer.status !== 200) answer.body.destroy();
  if (answer.status === 401 || answer.status === 403) throw new RemoteError("the remote asks for other credentials", { reason: "authentication" });
  // Issues, releases and the like can be switched off.
  if (answer.status === 404) return { text: "[]", total: 0 };
  if (answer.status !== 200) throw new RemoteError(`the remote answered with status ${answer.status}`, { reason: "protocol" });
  const { bytes, isWhole } = await readAtMost(answer, Math.min(pageBytes, budget.bytes));
  if (!isWhole) throw new RemoteError("the remote answers with more than is taken here", { reason: "refused" });
  budget.bytes -= bytes.length;
  return { text: bytes.toString("utf8"), total: Number(answer.headers["x-total-count"] ?? Number.POSITIVE_INFINITY) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RemoteError("what the remote answers is no JSON", { reason: "protocol", cause: error });
  }
}

function readLabel(of: Foreign): ForeignLabel[] {
  const name = textIn(of, "name", 50).trim();
  const rest = { description: textIn(of, "description", 200), isExclusive: flagIn(of, "exclusive"), isArchived: flagIn(of, "is_archived") };
  const id = idIn(of, "id");
  return name === "" || id === 0 ? [] : [{ id, name, color: colorIn(of), ...rest }];
}

function colorIn(of: Foreign): string {
  try {
    return readColor(textIn(of, "color", 7));
  } catch {
    return "cccccc";
  }
}

function readMilestone(of: Foreign): ForeignMilestone[] {
  const [id, title, createdMs] = [idIn(of, "id"), textIn(of, "title", longest.title), timeIn(of, "created_at") ?? 0];
  if (id === 0 || title === "") return [];
  const isClosed = of.state === "closed";
  const closedMs = isClosed ? (timeIn(of, "closed_at") ?? createdMs) : null;
  return [{ id, title, createdMs, isClosed, closedMs, description: textIn(of, "description", longest.text), dueMs: timeIn(of, "due_on") }];
}

function readComment(of: Foreign): ForeignComment[] {
  const address = textIn(of, "issue_url", 2_000) || textIn(of, "pull_request_url", 2_000);
  const issueNumber = Number(/\/(?:issues|pulls)\/(\d{1,10})$/.exec(address)?.[1] ?? 0);
  const id = idIn(of, "id");
  if (issueNumber === 0 || id === 0) return [];
  const createdMs = timeIn(of, "created_at") ?? 0;
  return [{ id, issueNumber, content: textIn(of, "body", longest.text), author: authorOf(of), createdMs, updatedMs: timeIn(of, "updated_at") ?? createdMs }];
}

function readRelease(of: Foreign): ForeignRelease[] {
  const tagName = textIn(of, "tag_name", longest.name);
  if (tagName === "") return [];
  const createdMs = timeIn(of, "created_at") ?? 0;
  const publishedMs = timeIn(of, "published_at") ?? createdMs;
  return [
    {
      ...{ tagName, createdMs, publishedMs, title: textIn(of, "name", longest.title), note: textIn(of, "body", longest.text) },
      ...{ target: textIn(of, "target_commitish", longest.name), isDraft: flagIn(of, "draft"), isPrerelease: flagIn(of, "prerelease") },
      author: authorOf(of, "author"),
      files: objectsIn(of.assets).flatMap(readFile),
    },
  ];
}

function readFile(of: Foreign): ForeignFile[] {
  const [name, address] = [textIn(of, "name", longest.name), textIn(of, "browser_download_url", 8_000)];
  return name === "" || address === "" ? [] : [{ name, address, sizeBytes: idIn(of, "size") }];
}
