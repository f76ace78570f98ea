import { parseTime } from "../../../../core/time.ts";
import { query } from "../../../../http/query.ts";
import { textsFor } from "../../../../ui/texts/texts.ts";
import type { CommitSearch } from "../service/search.ts";
import { historyTexts } from "../texts/texts.ts";

/** The submitted values of the search form. */
export interface TypedSearch {
  readonly q: string;
  readonly author: string;
  readonly since: string;
  readonly until: string;
}

export const searchQuery = {
  q: query.text("Words of the message"),
  author: query.text("Name or email address of the author, or a part of them"),
  since: query.text("Only commits of this day and later: `YYYY-MM-DD`, in UTC"),
  until: query.text("Only commits of this day and earlier"),
  skip: query.integer("Number of commits to skip, as named in the link to older commits"),
};

type Given = Readonly<Record<keyof TypedSearch, string | undefined>>;

/** The trimmed values; undefined if all of them are empty. */
export function readTypedSearch({ q = "", author = "", since = "", until = "" }: Given): TypedSearch | undefined {
  const typed = { q: q.trim(), author: author.trim(), since: since.trim(), until: until.trim() };
  return Object.values(typed).some((value) => value !== "") ? typed : undefined;
}

export interface ReadSearch {
  readonly search?: Pick<CommitSearch, "words" | "author" | "sinceMs" | "untilMs">;
  /** Explains the value that cannot be searched for. */
  readonly problem?: string;
}

/** Every word is searched for separately, so their number is limited. */
const maxWords = 20;
const maxAuthor = 200;
const dayMs = 86_400_000;

/** The search of the submitted values, or the error of one of them. */
export function readSearch({ q, author, since, until }: TypedSearch, languages: readonly string[]): ReadSearch {
  const texts = textsFor(historyTexts, languages);
  const words = q === "" ? [] : q.split(/\s+/);
  if (words.length > maxWords) return { problem: texts.tooManyWords(maxWords) };
  // Git reads patterns by line.
  if (author.length > maxAuthor || author.includes("\n")) return { problem: texts.longAuthor(maxAuthor) };
  const [first, last] = [since, until].map((day) => (day === "" ? undefined : (parseTime(`${day}T00:00:00Z`) ?? Number.NaN)));
  if (Number.isNaN(first) || Number.isNaN(last)) return { problem: texts.noDate };
  if (first !== undefined && last !== undefined && last < first) return { problem: texts.emptyRange };
  return { search: { words, author, sinceMs: first, untilMs: last === undefined ? undefined : last + dayMs - 1 } };
}
