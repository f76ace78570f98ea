import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ConfigError } from "../../config/config.ts";
import { parseSmallJson } from "../../core/bounded-json.ts";
import { asObject, type Foreign, idIn, objectsIn, oidIn, textIn, timeIn } from "../../features/repositories/migrations/foreign-json.ts";
import { authorOf, longest, readIssue } from "../../features/repositories/migrations/service/gitea-issues.ts";
import { highest, once, readAbout, readComment, readLabel, readMilestone, readRelease } from "../../features/repositories/migrations/service/gitea-items.ts";
import { readLineComment, readPull, readReview } from "../../features/repositories/migrations/service/gitea-pulls.ts";
import type { ForeignCommitComment, ForeignLineComment, ForeignReaction, ForeignReview, Tracker } from "../../features/repositories/migrations/tracker.ts";
import type { Archive } from "./archive.ts";

/** The repository of an export, with the checks for data of other servers: invalid values are omitted or truncated. */
export interface ReadRepository {
  readonly tracker: Tracker;
  readonly isPrivate: boolean;
  readonly defaultBranch: string;
  /** Names of accounts in lines, by id. */
  readonly accounts: ReadonlyMap<number, string>;
}

/** @throws ConfigError with the file and the line for anything but JSON objects */
export async function readRepository(archive: Archive): Promise<ReadRepository> {
  const accounts = new Map<number, string>();
  const list = async <T>(path: string, read: (of: Foreign) => readonly T[]): Promise<readonly T[]> => {
    const found: T[] = [];
    for await (const of of readLines(archive, path)) {
      noteAccounts(of, accounts);
      found.push(...read(of));
    }
    return found;
  };
  const about = parseLine(
    archive.files.has("repository.json") ? await readFile(join(archive.folder, "repository.json")) : Buffer.from("{}"),
    "repository.json",
  );
  const issues = once(await list("issues.jsonl", readIssue), ({ number }) => number);
  const pulls = once(await list("pulls.jsonl", readPull), ({ number }) => number);
  const tracker: Tracker = {
    about: readAbout(about, "website"),
    labels: once(await list("labels.jsonl", readLabel), ({ id }) => id),
    milestones: once(await list("milestones.jsonl", readMilestone), ({ id }) => id),
    issues,
    pulls,
    comments: once(await list("comments.jsonl", readComment), ({ id }) => id),
    reviews: once(await list("reviews.jsonl", readReviewLine), ({ id }) => id),
    reactions: await list("reactions.jsonl", readReaction),
    releases: once(await list("releases.jsonl", (of) => readRelease(of, "browser_download_url")), ({ tagName }) => tagName),
    commitComments: once(await list("commitcomments.jsonl", readCommitComment), ({ id }) => id),
    lastNumber: highest([idIn(about, "last_issue_number"), ...[...issues, ...pulls].map(({ number }) => number)]),
  };
  return { tracker, isPrivate: about.private !== false, defaultBranch: textIn(about, "default_branch", longest.name), accounts };
}

async function* readLines({ folder, files }: Archive, path: string): AsyncGenerator<Foreign> {
  if (!files.has(path)) return;
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(join(folder, path)), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line !== "") yield parseLine(Buffer.from(line), `line ${number} of ${path}`);
  }
}

function parseLine(bytes: Buffer, place: string): Foreign {
  try {
    return asObject(parseSmallJson(bytes));
  } catch (error) {
    throw new ConfigError(`${place} of the export is not JSON, or has too many values`, { cause: error });
  }
}

function noteAccounts(of: Foreign, accounts: Map<number, string>): void {
  const authors = [authorOf(of), authorOf(of, "author"), authorOf(of, "merged_by"), ...objectsIn(of.comments).map((comment) => authorOf(comment))];
  for (const { id, name, isAccount } of authors) if (isAccount) accounts.set(id, name);
}

const numberIn = (of: Foreign, member: string): number => Number(/\/(?:issues|pulls)\/(\d{1,9})$/.exec(textIn(of, member, 2_000))?.[1] ?? 0);

function readReviewLine(of: Foreign): readonly ForeignReview[] {
  const pullNumber = numberIn(of, "pull_request_url");
  const review = pullNumber === 0 ? undefined : readReview(of, pullNumber);
  if (review === undefined) return [];
  const comments = objectsIn(of.comments).flatMap((comment): ForeignLineComment[] =>
    readLineComment(comment).map((read) => ({ ...read, writtenOid: oidIn(comment, "written_commit_id") })),
  );
  return [{ ...review, comments }];
}

function readCommitComment(of: Foreign): readonly ForeignCommitComment[] {
  const [id, commitOid] = [idIn(of, "id"), oidIn(of, "commit_id")];
  if (id === 0 || commitOid === undefined) return [];
  const createdMs = timeIn(of, "created_at") ?? 0;
  return [{ id, commitOid, content: textIn(of, "body", longest.text), author: authorOf(of), createdMs, updatedMs: timeIn(of, "updated_at") ?? createdMs }];
}

function readReaction(of: Foreign): readonly ForeignReaction[] {
  const [issueNumber, content] = [numberIn(of, "issue_url"), textIn(of, "content", 20)];
  if (issueNumber === 0 || content === "") return [];
  return [{ issueNumber, commentId: idIn(of, "comment_id") || null, content, author: authorOf(of), createdMs: timeIn(of, "created_at") ?? 0 }];
}
