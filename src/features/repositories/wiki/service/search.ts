import type { RepositorySubject } from "../../../../access/subjects.ts";
import { grep } from "../../../../git/history/grep.ts";
import { deriveOnce } from "../../../../git/objects/derived-result.ts";
import { type FoundPages, minSearchLength } from "../model.ts";
import { isPart, type PageName } from "../page-name.ts";
import { requireTip, type TipDeps } from "./tip.ts";

const bounds = { maxLines: 200, maxLinesOfFile: 3, timeoutMs: 5_000 };
const maxSearchLength = 200;
/** Memory of a found line without its text. */
const foundBytes = 200;

/**
 * The pages with a text, those with it in their title first. One process; none if the result is cached.
 * @returns undefined if the text is too short
 * @throws ForgeError `not_found` for a wiki without pages
 */
export async function searchWiki(deps: TipDeps, repository: RepositorySubject, typed: string, signal: AbortSignal): Promise<FoundPages | undefined> {
  const tip = await requireTip(deps, repository);
  const text = (typed.trim().split("\n", 1)[0] ?? "").slice(0, maxSearchLength).toWellFormed();
  if (text.length < minSearchLength || text.includes("\0")) return undefined;
  const found = await deriveOnce(tip.store, {
    kind: "foundLines",
    id: `wiki ${tip.commit.oid} ${text}`,
    signal,
    make: (shared) => grep(tip.store, { ...bounds, commitOid: tip.commit.oid, text, signal: shared }),
    sizeOf: ({ lines, end }) => (end === "late" ? undefined : lines.reduce((sum, line) => sum + foundBytes + 2 * line.text.length, 0)),
  });
  const linesOf = Map.groupBy(found.lines, ({ path }) => path);
  const isTitled = ({ title }: PageName): boolean => title.toLowerCase().includes(text.toLowerCase());
  const pages = tip.pages
    .filter((page) => !isPart(page) && (isTitled(page) || linesOf.has(page.file)))
    .map((page) => ({ page, lines: (linesOf.get(page.file) ?? []).map((line) => line.text) }));
  return { pages: [...pages.filter(({ page }) => isTitled(page)), ...pages.filter(({ page }) => !isTitled(page))], end: found.end };
}
