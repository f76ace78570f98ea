import type { Reader } from "../../../../db/db.ts";
import { listCommitOids } from "../../../../git/history/log.ts";
import { formatOfOid } from "../../../../git/objects/hash.ts";
import { peelToCommit, readCommit, resolvePrefix } from "../../../../git/objects/objects.ts";
import { isValidBranchName, isValidRefName, isValidTagName } from "../../../../git/objects/ref-names.ts";
import { isOid } from "../../../../git/run/commands.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { branchPrefix, hiddenPrefix, type RefView, tagPrefix } from "../model.ts";
import { loadRefs } from "../store/refs.ts";
import { findStore } from "../store/stores.ts";

export type RevKind = "branch" | "tag" | "commit";

/** The commit that a revision names. */
export interface ResolvedRev {
  readonly kind: RevKind;
  /** The object that the revision names: the tag object for an annotated tag or its complete id, otherwise the commit. */
  readonly oid: Oid;
  readonly commitOid: Oid;
  /** Full name of the branch or tag. */
  readonly refName: string | undefined;
}

interface Deps {
  readonly db: Reader;
}

const everyKind: readonly RevKind[] = ["branch", "tag", "commit"];

/**
 * Resolves a revision to a commit. In order of precedence: a branch name; a tag name; `HEAD` or `@`; the name of any ref, in full (`refs/heads/x`)
 * or without `refs/` (`heads/x`, `pull/1/head`); a complete object id; the output of git describe (`v1-3-gabcdef0`); an abbreviated object id of at
 * least seven digits. Each can be followed by `~n`, `^n`, `^{}` and `^{commit}` (gitrevisions). Revisions that need a reflog or a search (`@{1}`,
 * `:/text`, `^{/text}`) are unknown. No part of a revision reaches git except hex digits.
 *
 * One statement at most, two for `HEAD`. No process, except for an ancestor that is more than {@link nearSteps} commits away.
 *
 * @param kinds the kinds of revisions to accept; ids and expressions are commits, `HEAD` is a branch
 * @returns undefined for an unknown revision, an ambiguous abbreviation, or an object that does not peel to a commit
 */
export async function resolveRev(deps: Deps, store: GitStore, rev: string, kinds: readonly RevKind[] = everyKind): Promise<ResolvedRev | undefined> {
  const expression = readExpression(rev);
  if (expression !== undefined) return kinds.includes("commit") ? evaluate(deps, store, expression) : undefined;
  const names = isHead(rev) ? await namesOfHead(deps, store, kinds) : [...shortNames(rev, kinds), ...fullNames(rev, kinds)];
  const refs = await loadRefs(
    deps.db,
    store.id,
    names.map(({ refName }) => refName),
  );
  for (const { kind, refName } of names) {
    const ref = refs.get(refName);
    if (ref !== undefined) return resolveRef(store, kind, ref);
  }
  return kinds.includes("commit") ? resolveOid(store, rev) : undefined;
}

/** Whether the characters of a string permit it to be a revision. */
export const isRevision = (rev: string): boolean => isValidRefName(branchPrefix + (readExpression(rev)?.base ?? rev));

/** A revision at the beginning of a path. */
export interface PathRev {
  /** As written in the path; empty for the fallback. */
  readonly word: string;
  readonly found: ResolvedRev;
  /** The path after the revision, without a leading slash. */
  readonly rest: string;
}

export interface PathRevOptions {
  readonly kinds?: readonly RevKind[];
  /** Full name of a ref at which the whole path is tried last. */
  readonly fallback?: string;
}

/** Maximum number of slashes in a revision in a path. */
const maxSegments = 20;

/**
 * All revisions that a path can begin with: `feature/x/docs/a.md` is `docs/a.md` at the branch `feature/x`. The precedence is that of
 * {@link resolveRev}. At most one branch matches, and at most one tag. One statement, two for `HEAD`.
 */
export async function* resolvePath(
  deps: Deps,
  store: GitStore,
  path: string,
  { kinds = everyKind, fallback }: PathRevOptions = {},
): AsyncGenerator<PathRev, void, undefined> {
  const segments = path.split("/").slice(0, maxSegments);
  const [first = ""] = segments;
  const operatorAt = segments.findIndex((segment) => /[~^]/.test(segment));
  if (operatorAt >= 0 && kinds.includes("commit")) {
    const word = segments.slice(0, operatorAt + 1).join("/");
    const found = await resolveRev(deps, store, word, ["commit"]);
    if (found !== undefined) yield pathRev(path, word, found);
  }
  const words = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  const named = (namesOf: typeof shortNames) => words.flatMap((word) => namesOf(word, kinds).map((name) => ({ ...name, word })));
  const short = named(shortNames);
  const head = isHead(first) ? (await namesOfHead(deps, store, kinds)).map((name) => ({ ...name, word: first })) : [];
  const names = [...short.filter(({ kind }) => kind === "branch"), ...short.filter(({ kind }) => kind === "tag"), ...head, ...named(fullNames)];
  const wanted = names.map(({ refName }) => refName);
  const refs = await loadRefs(deps.db, store.id, fallback === undefined ? wanted : [...wanted, fallback]);
  for (const { kind, refName, word } of names) {
    const ref = refs.get(refName);
    const found = ref && (await resolveRef(store, kind, ref));
    if (found !== undefined) yield pathRev(path, word, found);
  }
  const byId = kinds.includes("commit") ? await resolveOid(store, first) : undefined;
  if (byId !== undefined) yield pathRev(path, first, byId);
  const last = fallback === undefined ? undefined : refs.get(fallback);
  const lastFound = last && (await resolveRef(store, "branch", last));
  if (lastFound !== undefined) yield { word: "", found: lastFound, rest: path };
}

const pathRev = (path: string, word: string, found: ResolvedRev): PathRev => ({ word, found, rest: path.slice(word.length + 1) });

interface RefCandidate {
  readonly kind: RevKind;
  readonly refName: string;
}

const isHead = (rev: string): boolean => rev === "HEAD" || rev === "@";

async function namesOfHead({ db }: Deps, store: GitStore, kinds: readonly RevKind[]): Promise<RefCandidate[]> {
  const found = kinds.includes("branch") ? await findStore(db, store.id) : undefined;
  return found === undefined ? [] : [{ kind: "branch", refName: found.headRef }];
}

function shortNames(rev: string, kinds: readonly RevKind[]): RefCandidate[] {
  const names: RefCandidate[] = [];
  if (kinds.includes("branch") && isValidBranchName(rev)) names.push({ kind: "branch", refName: branchPrefix + rev });
  if (kinds.includes("tag") && isValidTagName(rev)) names.push({ kind: "tag", refName: tagPrefix + rev });
  return names;
}

/** Ref namespaces that can be given without `refs/`; others need the full name. */
const fullName = /^(?:refs|heads|tags|pull|notes)\//;

function fullNames(rev: string, kinds: readonly RevKind[]): RefCandidate[] {
  if (!fullName.test(rev)) return [];
  const refName = rev.startsWith("refs/") ? rev : `refs/${rev}`;
  if (!isValidRefName(refName) || refName.startsWith(hiddenPrefix)) return [];
  const kind = refName.startsWith(branchPrefix) ? "branch" : refName.startsWith(tagPrefix) ? "tag" : "commit";
  return kinds.includes(kind) ? [{ kind, refName }] : [];
}

/** A tag of an object that is not a commit cannot be resolved. */
async function resolveRef(store: GitStore, kind: RevKind, { name, oid, peeledOid, type }: RefView): Promise<ResolvedRev | undefined> {
  if (kind === "branch") return { kind, oid, commitOid: oid, refName: name };
  const commit = type === "commit" || type === "tag" ? await peelToCommit(store, peeledOid === "" ? oid : peeledOid) : undefined;
  return commit && { kind, oid, commitOid: commit.oid, refName: kind === "tag" ? name : undefined };
}

async function resolveOid(store: GitStore, digits: string): Promise<ResolvedRev | undefined> {
  const oid = digits.toLowerCase();
  if (isOid(oid) && formatOfOid(oid) === store.format) {
    const commit = await peelToCommit(store, oid);
    return commit && { kind: "commit", oid, commitOid: commit.oid, refName: undefined };
  }
  const [, described = oid] = /^.+-\d+-g([0-9a-f]+)$/.exec(oid) ?? [];
  const commit = await resolvePrefix(store, described, "commit");
  return commit && { kind: "commit", oid: commit.oid, commitOid: commit.oid, refName: undefined };
}

type Step = { readonly ancestor: number } | { readonly parent: number };

interface Expression {
  /** The revision before the first operator. */
  readonly base: string;
  readonly steps: readonly Step[];
}

/** Maximum length of a ref name or an expression. */
const maxLength = 1_000;

/** Undefined for a revision without operators. Ref names never contain `~` and `^`. */
function readExpression(rev: string): Expression | undefined {
  const [, base, operators = ""] = rev.length > maxLength ? [] : (/^([^~^]+)((?:~\d{0,9}|\^\d{0,9}|\^\{(?:commit)?\})+)$/.exec(rev) ?? []);
  if (base === undefined) return undefined;
  const steps: Step[] = [];
  for (const [operator, sign = "", digits = ""] of operators.matchAll(/([~^])(\d*)(?:\{\w*\})?/g)) {
    const count = digits === "" ? 1 : Number(digits);
    if (operator.includes("{") || count === 0) continue;
    const last = steps.at(-1);
    if (sign === "^" && count > 1) steps.push({ parent: count });
    else if (last !== undefined && "ancestor" in last) steps[steps.length - 1] = { ancestor: last.ancestor + (sign === "~" ? count : 1) };
    else steps.push({ ancestor: sign === "~" ? count : 1 });
  }
  return { base, steps };
}

async function evaluate(deps: Deps, store: GitStore, { base, steps }: Expression): Promise<ResolvedRev | undefined> {
  const start = await resolveRev(deps, store, base);
  let commit = start && (await readCommit(store, start.commitOid));
  for (const step of steps) {
    if (commit === undefined) return undefined;
    commit = "parent" in step ? await parentOf(store, commit, step.parent) : await ancestorOf(store, commit, step.ancestor);
  }
  return commit && { kind: "commit", oid: commit.oid, commitOid: commit.oid, refName: undefined };
}

async function parentOf(store: GitStore, { parentOids }: Commit, number: number): Promise<Commit | undefined> {
  const oid = parentOids[number - 1];
  return oid === undefined ? undefined : readCommit(store, oid);
}

/** Number of first parents followed through the cache; git finds more distant ones faster. */
const nearSteps = 100;

async function ancestorOf(store: GitStore, commit: Commit, steps: number): Promise<Commit | undefined> {
  if (steps > nearSteps) {
    const [oid] = await listCommitOids(store, { tipOids: [commit.oid], firstParent: true, skip: steps, limit: 1 });
    return oid === undefined ? undefined : readCommit(store, oid);
  }
  let at: Commit | undefined = commit;
  for (let step = 0; step < steps && at !== undefined; step += 1) at = await parentOf(store, at, 1);
  return at;
}
