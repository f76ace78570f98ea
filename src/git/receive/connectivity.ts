import { readCommit, readTag } from "../objects/objects.ts";
import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { connectivityFailure } from "./pack-problems.ts";

export interface ConnectivityCheck {
  readonly tipOids: readonly Oid[];
  /** Tips whose entire history is in the store: the refs of the database. */
  readonly knownOids: Iterable<Oid>;
  readonly signal?: AbortSignal | undefined;
}

const timeoutMs = 30 * 60 * 1000;
const maxNearReads = 256;

/**
 * Checks that everything reachable from the new tips is in the quarantine or reachable from known tips.
 * @throws ForgeError `invalid` if an object is missing (`meta.problem` is `missing_objects`), or nested too deeply for git (`too_deep`)
 */
export async function checkConnected(store: GitStore, check: ConnectivityCheck): Promise<void> {
  const known = check.knownOids instanceof Set ? (check.knownOids as ReadonlySet<Oid>) : new Set(check.knownOids);
  const tipOids = [...new Set(check.tipOids)].filter((oid) => !known.has(oid));
  if (tipOids.length === 0) return;
  const stopOids = (await nearestKnown(store, tipOids, known)) ?? known;
  const outcome = await runGit(
    store,
    { name: "rev-list", flags: { "--objects": true, "--quiet": true, "--stdin": true } },
    { stdin: revisionLines(tipOids, stopOids), accept: "any", signal: check.signal, timeoutMs },
  );
  if (outcome.code !== 0) throw connectivityFailure(outcome);
}

/**
 * The known commits that the new commits build on, so that git parses these few instead of every ref of the store.
 * Undefined if there are too many new objects, or objects other than commits and tags among them.
 */
async function nearestKnown(store: GitStore, tipOids: readonly Oid[], known: ReadonlySet<Oid>): Promise<Iterable<Oid> | undefined> {
  const nearest = new Set<Oid>();
  const seen = new Set(tipOids);
  let wave = tipOids;
  while (wave.length > 0) {
    if (seen.size > maxNearReads) return undefined;
    const next: Oid[] = [];
    for (const linked of await Promise.all(wave.map((oid) => linkedOids(store, oid)))) {
      if (linked === undefined) return undefined;
      for (const oid of linked) {
        if (known.has(oid)) nearest.add(oid);
        else if (!seen.has(oid)) next.push(oid);
        seen.add(oid);
      }
    }
    wave = next;
  }
  return nearest;
}

/** The parents of a commit, or the target of a tag. */
async function linkedOids(store: GitStore, oid: Oid): Promise<readonly Oid[] | undefined> {
  const commit = await readCommit(store, oid);
  if (commit !== undefined) return commit.parentOids;
  const tag = await readTag(store, oid);
  return tag === undefined ? undefined : [tag.targetOid];
}

const linesPerChunk = 1000;

function* revisionLines(tipOids: readonly Oid[], stopOids: Iterable<Oid>): Generator<Buffer, void, undefined> {
  let lines = [...tipOids];
  for (const oid of stopOids) {
    lines.push(`^${oid}`);
    if (lines.length < linesPerChunk) continue;
    yield Buffer.from(`${lines.join("\n")}\n`);
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join("\n")}\n`);
}
