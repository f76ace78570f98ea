import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { type HistoryPage, listCommitOids } from "./log.ts";

export interface CommitSearch extends HistoryPage {
  /** Every word occurs in the message. Case is ignored for ASCII letters. */
  readonly words: readonly string[];
  /** At least one of them occurs in `Name <email>` of the author. */
  readonly authors: readonly string[];
  /** Number of commits to search at most, after the skipped ones. */
  readonly maxSearched: number;
}

export interface FoundCommits {
  readonly oids: readonly Oid[];
  /** Where to continue: the number of commits to skip. Undefined after the last commit. */
  readonly next: number | undefined;
  /** The last searched commit, if the search ended because of `maxSearched`. */
  readonly lastOid: Oid | undefined;
}

const timeoutMs = 30_000;

/**
 * The commits of a history whose messages and authors contain fixed strings, newest first. At most two processes: git lists a bounded part of
 * the history, and then reads only the commits of that part.
 * @throws TypeError for a string with a line break or NUL; ForgeError as `listCommitOids`
 */
export async function searchCommits(store: GitStore, search: CommitSearch): Promise<FoundCommits> {
  const { words, authors, skip = 0, limit, maxSearched, signal, ...query } = search;
  if ([...words, ...authors].some((text) => text === "" || /[\n\0]/.test(text))) throw new TypeError("each search text must be a single line");
  const listed = await listCommitOids(store, { ...query, skip, limit: maxSearched + 1, signal });
  const searched = listed.slice(0, maxSearched);
  const matches = words.length === 0 && authors.length === 0 ? searched : await matchCommits(store, searched, search);
  const oids = matches.slice(0, limit);
  const last = oids.at(-1);
  if (matches.length > limit && last !== undefined) return { oids, next: skip + searched.indexOf(last) + 1, lastOid: undefined };
  const isCut = listed.length > searched.length;
  return { oids, next: isCut ? skip + searched.length : undefined, lastOid: isCut ? searched.at(-1) : undefined };
}

/** Those of some commits that match, one more than the limit. */
async function matchCommits(store: GitStore, oids: readonly Oid[], { words, authors, limit, signal }: CommitSearch): Promise<readonly Oid[]> {
  if (oids.length === 0) return [];
  const flags = {
    // Git would follow parents again if this came later.
    "--max-count": limit + 1,
    "--no-walk": "unsorted",
    "--stdin": true,
    "--fixed-strings": true,
    "--regexp-ignore-case": true,
    "--all-match": true,
    "--grep": words,
    "--author": authors,
  } as const;
  const { stdout } = await runGit(store, { name: "rev-list", flags }, { stdin: oids.map((oid) => `${oid}\n`).join(""), signal, timeoutMs });
  return stdout
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}
