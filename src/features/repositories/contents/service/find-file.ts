import type { RepositorySubject } from "../../../../access/subjects.ts";
import { slicesOf } from "../../../../core/turns.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { listTree } from "../../commits/tree-listing.ts";
import type { Viewpoint } from "../model.ts";
import type { ViewpointDeps } from "./viewpoint.ts";

export interface FoundPaths {
  /** At most the limit, those that contain the typed text first. */
  readonly paths: readonly string[];
  /** Further files match. */
  readonly isCut: boolean;
  /** Some files were not searched. */
  readonly isIncomplete: boolean;
}

/** Entries of a commit that are searched, folders included. */
const searchedEntries = 100_000;
const searchedInTurn = 5_000;
const maxTypedLength = 200;

/** The files of a commit whose paths contain the typed characters in this order, ignoring case and spaces. No statement. */
export async function findFiles(deps: ViewpointDeps, repository: RepositorySubject, at: Viewpoint, typed: string, limit: number): Promise<FoundPaths> {
  const listing = await listTree(codeStore(deps, repository), at.commit.treeOid, { offset: 0, limit: searchedEntries });
  const entries = listing?.entries ?? [];
  const wanted = typed.slice(0, maxTypedLength).toLowerCase().replace(/\s/g, "");
  const whole: string[] = [];
  const scattered: string[] = [];
  for await (const slice of slicesOf(entries, searchedInTurn)) {
    for (const { path, entry } of slice) {
      if (entry.mode === "040000" || entry.mode === "160000") continue;
      const lower = path.toLowerCase();
      if (lower.includes(wanted)) whole.push(path);
      else if (containsInOrder(lower, wanted)) scattered.push(path);
    }
  }
  const paths = [...whole, ...scattered];
  return { paths: paths.slice(0, limit), isCut: paths.length > limit, isIncomplete: listing?.isIncomplete === true || (listing?.total ?? 0) > searchedEntries };
}

function containsInOrder(text: string, wanted: string): boolean {
  let at = 0;
  for (const character of wanted) {
    at = text.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
