import { readCommit, readTag } from "../objects/objects.ts";
import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { connectivityFailure } from "./pack-problems.ts";

/** Tips whose entire history is in the store: the refs of the database. */
export interface KnownTips {
  /** Those of the ids that are known tips. */
  among(oids: readonly Oid[]): Promise<ReadonlySet<Oid>>;
  all(): Promise<Iterable<Oid>>;
}

export interface ConnectivityCheck {
  readonly tipOids: readonly Oid[];
  /** Tips whose entire history is in the store. A store can have many refs, so most checks only ask about the parents of new commits. */
  readonly knownOids: Iterable<Oid> | KnownTips;
  readonly signal?: AbortSignal | undefined;
}

export function knownTips(known: Iterable<Oid> | KnownTips): KnownTips {
  if ("among" in known) return known;
  const set = known instanceof Set ? (known as ReadonlySet<Oid>) : new Set(known);
  return { among: async (oids) => new Set(oids.filter((oid) => set.has(oid))), all: async () => set };
}

const timeoutMs = 30 * 60 * 1000;
const maxNearReads = 256;

/**
 * Checks that everything reachable from the new tips is in the quarantine or reachable from known tips.
 * @throws ForgeError `invalid` if an object is missing (`meta.problem` is `missing_objects`), or nested too deeply for git (`too_deep`)
 */
export async function checkConnected(store: GitStore, check: ConnectivityCheck): Promise<void> {
  const known = knownTips(check.knownOids);
  const given = [...new Set(check.tipOids)];
  const present = await known.among(given);
  const tipOids = given.filter((oid) => !present.has(oid));
  if (tipOids.length === 0) return;
  const stopOids = (await nearestKnown(store, tipOids, known)) ?? (await known.all());
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
async function nearestKnown(store: GitStore, tipOids: readonly Oid[], known: KnownTips): Promise<Iterable<Oid> | undefined> {
  const nearest = new Set<Oid>();
  const seen = new Set(tipOids);
  let wave = tipOids;
  while (wave.length > 0) {
    if (seen.size > maxNearReads) return undefined;
    const next = new Set<Oid>();
    for (const linked of await Promise.all(wave.map((oid) => linkedOids(store, oid)))) {
      if (linked === undefined) return undefined;
      for (const oid of linked) if (!seen.has(oid)) next.add(oid);
    }
    const found = await known.among([...next]);
    for (const oid of next) seen.add(oid);
    for (const oid of found) nearest.add(oid);
    wave = [...next].filter((oid) => !found.has(oid));
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
