import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid } from "../../../../core/errors.ts";
import { blame } from "../../../../git/history/blame.ts";
import { grep } from "../../../../git/history/grep.ts";
import { deriveOnce } from "../../../../git/objects/derived-result.ts";
import { readBlob, readCommits } from "../../../../git/objects/objects.ts";
import type { GrepResult } from "../../../../git/types.ts";
import { highlightedLines } from "../../../site/markup/highlighted-lines.ts";
import type { Markup } from "../../../site/markup/service.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { languageOf } from "../code-language.ts";
import { ageSteps, type BlamedFile, type EntryView, type Viewpoint } from "../model.ts";
import { hasMoreLines, isText } from "../text-detection.ts";
import { readIgnoredRevs } from "./ignored-revs.ts";
import type { ViewpointDeps } from "./viewpoint.ts";

export interface BlameDeps extends ViewpointDeps {
  readonly markup: Pick<Markup, "highlight">;
}

/** Blame is not computed for larger files. */
const maxBlamedBytes = 512 * 1024;
const maxBlamedLines = 30_000;

/** The blame of a file. One process. @throws ForgeError `invalid` for a file that is not text or too large */
export async function blameFile(
  deps: BlameDeps,
  repository: RepositorySubject,
  at: Viewpoint,
  file: Pick<EntryView, "path" | "oid" | "mode" | "sizeBytes">,
  { ignoresRevs, signal }: { readonly ignoresRevs: boolean; readonly signal: AbortSignal },
): Promise<BlamedFile> {
  const store = codeStore(deps, repository);
  const data = file.mode.startsWith("100") && file.sizeBytes <= maxBlamedBytes ? (await readBlob(store, file.oid, maxBlamedBytes))?.data : undefined;
  if (data === undefined || !isText(data) || hasMoreLines(data, maxBlamedLines))
    throw invalid("the file is not text, or too large for blame", { reason: "not_text" });
  const code = data.toString("utf8");
  const coloured = await deps.markup.highlight(code, languageOf(file.path));
  const html = coloured === undefined ? [] : highlightedLines(coloured);
  const lines = code.split("\n").map((text, at) => ({ text, html: html[at] }));
  const listed = await readIgnoredRevs(store, at.commit.treeOid);
  const ignoredOids = ignoresRevs ? (listed ?? []) : [];
  const blamed = await blame(store, { commitOid: at.commit.oid, path: file.path, ignoredOids, signal });
  const commits = await readCommits(store, [...new Set(blamed.map(({ oid }) => oid))]);
  const byOid = new Map(commits.flatMap((commit) => (commit === undefined ? [] : [[commit.oid, commit] as const])));
  const ageOf = agesOf(commits.flatMap((commit) => commit?.author.seconds ?? []));
  const ranges = blamed.map(({ oid, startLine, count, previous }) => {
    const commit = byOid.get(oid);
    return {
      commit,
      age: commit === undefined ? undefined : ageOf(commit.author.seconds),
      startLine,
      lines: lines.slice(startLine - 1, startLine - 1 + count),
      previous,
    };
  });
  return { ranges, ignoredRevs: listed === undefined ? "none" : ignoresRevs ? "applied" : "bypassed" };
}

/** Places times between the oldest and the newest one, from 0 to 4; all are the newest if there is only one. */
function agesOf(times: readonly number[]): (seconds: number) => number {
  const [oldest, newest] = [Math.min(...times), Math.max(...times)];
  return (seconds) => (newest === oldest ? ageSteps - 1 : Math.min(ageSteps - 1, Math.floor(((seconds - oldest) / (newest - oldest)) * ageSteps)));
}

/** Limits of search results. */
const bounds = { maxLines: 200, maxLinesOfFile: 10, timeoutMs: 5_000 };
export const minSearchLength = 2;
const maxSearchLength = 200;

/** Memory of a found line without its text. */
const foundBytes = 200;

/** The lines of a commit's files that contain a string; undefined if the string is too short. One process; none if the result is cached. */
export async function searchCode(
  deps: ViewpointDeps,
  repository: RepositorySubject,
  at: Viewpoint,
  typed: string,
  signal: AbortSignal,
): Promise<GrepResult | undefined> {
  const text = (typed.trim().split("\n", 1)[0] ?? "").slice(0, maxSearchLength).toWellFormed();
  if (text.length < minSearchLength) return undefined;
  const store = codeStore(deps, repository);
  const commitOid = at.commit.oid;
  return deriveOnce(store, {
    kind: "foundLines",
    id: `${commitOid} ${text}`,
    signal,
    make: (shared) => grep(store, { ...bounds, commitOid, text, signal: shared }),
    // A search that ran out of time may find more on a machine that is less busy.
    sizeOf: ({ lines, end }) => (end === "late" ? undefined : lines.reduce((sum, line) => sum + foundBytes + 2 * line.text.length, 0)),
  });
}
