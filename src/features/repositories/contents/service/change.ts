import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import { conflict, type ForgeError, invalid, notFound, tooLarge } from "../../../../core/errors.ts";
import type { KeyedMutex } from "../../../../core/keyed-mutex.ts";
import { countTurns, mapInPieces } from "../../../../core/turns.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { editTree } from "../../../../git/merge/tree-edit.ts";
import { newCommit, type SignObject } from "../../../../git/objects/format.ts";
import { newBlobInTurns } from "../../../../git/objects/hash.ts";
import { findEntry } from "../../../../git/objects/objects.ts";
import { writeObjects } from "../../../../git/objects/write.ts";
import type { GitStore, GitStores } from "../../../../git/stores.ts";
import type { Commit, Oid, Signature } from "../../../../git/types.ts";
import { gitIdentity } from "../../../accounts/users/git-identity.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { type LastCommitsDeps, lastCommitOfPath } from "../../commits/service/last-commits.ts";
import { moverOf } from "../../protections/service/guard.ts";
import { branchKey, branchPrefix, shortName } from "../../refs/model.ts";
import { type RefRefusal, type RuleRefusal, ruleError } from "../../refs/moves.ts";
import { branchNameOf, findRefs } from "../../refs/service/read.ts";
import { moveRepositoryRefs } from "../../repos/service/move-refs.ts";
import { requireRoomFor } from "../../repos/service/sizes.ts";
import { decodeBase64 } from "../base64.ts";
import { type CommitInput, commitMessage, defaultMessage, type FileChange, type NamedPerson } from "../file-change.ts";
import type { ChangeView, EntryView } from "../model.ts";
import { describeEntries, type FoundEntry } from "./entries.ts";
import { type PlannedChange, planChange, planTree, type TreePlan } from "./tree-plan.ts";
import { requireCommit } from "./viewpoint.ts";

export interface ChangeDeps extends LastCommitsDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly clock: Clock;
  readonly urls: Pick<Urls, "host">;
  readonly config: Pick<Config, "limits" | "repositories">;
  /** Queues the writers of each branch. */
  readonly branchQueue: KeyedMutex;
  /** Signs commits that users make under their own names; undefined if the server does not sign. */
  readonly commitSigner: { readonly sign: SignObject } | undefined;
}

export interface FilesChange {
  readonly commit: CommitInput;
  readonly files: readonly FileChange[];
  /** See {@link TreeChangeRequest}. */
  readonly start?: ChangeStart | undefined;
}

/** A commit whose objects were copied into the store. */
export interface ChangeStart {
  readonly oid: Oid;
  /** Bytes that the copy added to the store. */
  readonly sizeBytes: number;
}

/**
 * Creates, updates, moves and deletes files in one commit on a branch, without a process or a working tree; writes objects only for the
 * changed files and the trees along their paths. Operations `repoCreateFile`, `repoUpdateFile`, `repoDeleteFile`, `repoChangeFiles`.
 * @throws ForgeError `not_found` for an unknown branch or file, `invalid` for changes that the tree does not permit, `too_large` for a file over
 *   the size limit or the owner's quota
 */
export async function changeFiles(
  deps: ChangeDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { commit, files, start }: FilesChange,
): Promise<ChangeView> {
  const planned = await planFiles(deps, repository, files);
  const made = await commitChange(deps, actor, repository, {
    commit: { ...commit, message: commit.message.trim() === "" ? defaultMessage(planned) : commit.message },
    plan: (store, base) => planTree(store, base?.treeOid, planned),
    start,
    storedBytes: start?.sizeBytes ?? 0,
  });
  return viewChange(
    deps,
    made,
    planned.map(({ operation, path }) => (operation === "delete" ? undefined : path)),
  );
}

/**
 * Decodes and hashes the contents of a change.
 * @throws ForgeError `invalid` for a path or an operation that no tree permits, `too_large` for a file over the size limit
 */
export async function planFiles(
  { config }: Pick<ChangeDeps, "config">,
  { objectFormat }: RepositorySubject,
  files: readonly FileChange[],
): Promise<readonly PlannedChange[]> {
  const maxBytes = config.repositories.max_file_bytes;
  const decoded: { readonly file: FileChange; readonly data: Buffer }[] = [];
  const turn = countTurns();
  for (const file of files) {
    const data = await decodeBase64(file.content);
    if (data.length > maxBytes)
      throw tooLarge(`the file is larger than the limit of ${maxBytes} bytes [path: ${file.path}]`, { reason: { code: "file_too_large", maxBytes } });
    decoded.push({ file, data });
    await turn(5 + file.content.length / 1_000);
  }
  return mapInPieces(decoded, async ({ file, data }) => planChange(file, await newBlobInTurns(objectFormat, data)));
}

export interface TreeChangeRequest {
  readonly commit: CommitInput;
  /** Plans the change of the tip's tree; called again with the new tip if the branch moved concurrently. */
  readonly plan: (store: GitStore, base: Commit | undefined) => Promise<TreePlan>;
  /** The commit that a new branch starts from, in place of the tip of `commit.branch`. */
  readonly start?: Pick<ChangeStart, "oid"> | undefined;
  /** Bytes already added to the store for this change. */
  readonly storedBytes?: number;
  /** Further writes in the transaction that moves the branch. */
  readonly settle?: (tx: Tx) => Promise<void>;
}

export interface MadeChange {
  readonly store: GitStore;
  readonly branch: string;
  /** Undefined for the first commit of a repository. */
  readonly base: Commit | undefined;
  readonly commit: Commit;
}

/** Attempts in the presence of concurrent pushes. */
const maxAttempts = 10;

/** Commits a tree change on a branch by compare-and-set, so concurrent commits are never lost. @throws ForgeError as {@link changeFiles} */
export async function commitChange(deps: ChangeDeps, actor: UserActor, repository: RepositorySubject, request: TreeChangeRequest): Promise<MadeChange> {
  const { commit } = request;
  const from = commit.branch === "" ? repository.defaultBranch : await branchNameOf(deps.db, repository.codeStoreId, commit.branch);
  const names = { base: branchPrefix + from, target: branchPrefix + (commit.newBranch === "" ? from : commit.newBranch) };
  const signatures = signAs(deps, actor, commit);
  return deps.branchQueue.run(branchKey(repository.codeStoreId, names.target), async () => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const made = await tryChange(deps, actor, repository, { ...request, names, signatures });
      if (made !== undefined) return made;
    }
    throw conflict("the branch changes faster than this change can be added to it: try again", { reason: "busy" });
  });
}

interface Attempt extends TreeChangeRequest {
  /** Full ref names: the start of the change, and the branch for the commit. */
  readonly names: { readonly base: string; readonly target: string };
  readonly signatures: {
    readonly author: Signature;
    readonly committer: Signature;
    /** The caller commits under their own name. The server signs no other commits. */
    readonly isOwn: boolean;
  };
}

/** Undefined if the branch moved while the objects were written. */
async function tryChange(
  deps: ChangeDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { commit, plan, start, storedBytes = 0, settle, names, signatures }: Attempt,
): Promise<MadeChange | undefined> {
  const store = codeStore(deps, repository);
  const refs = await findRefs(deps.db, store.id, [names.base, names.target]);
  const baseOid = start?.oid ?? refs.get(names.base)?.oid;
  const oldOid = refs.get(names.target)?.oid ?? null;
  if (baseOid === undefined && !repository.isEmpty) throw notFound(`branch does not exist [repo_id: ${repository.id} name: ${shortName(names.base)}]`);
  if (names.target !== names.base && oldOid !== null && !commit.isForced) throw branchExists(names.target);
  const base = baseOid === undefined ? undefined : await requireCommit(store, baseOid);
  const { steps, blobs } = await plan(store, base);
  const { treeOid, objects } = await editTree(store, base?.treeOid, steps);
  const { author, committer } = signatures;
  const parentOids = base === undefined ? [] : [base.oid];
  const message = commitMessage(commit.message, commit.isSignedOff ? committer : undefined);
  const sign = signatures.isOwn ? deps.commitSigner?.sign : undefined;
  const made = newCommit(store.format, { treeOid, parentOids, author, committer, message, isVerbatim: true }, sign);
  await requireRoomFor(deps, repository.ownerId, blobs);
  const { sizeBytes } = await writeObjects(store, [...blobs, ...objects, made]);
  const update = { name: names.target, oldOid, newOid: made.oid, type: "commit", peeledOid: "", tipMs: committer.seconds * 1000 } as const;
  const unverifiedOid = sign === undefined ? made.oid : null;
  const paths = steps.map(({ path }) => path);
  const inputs = { isForced: oldOid !== null && oldOid !== base?.oid, changedPaths: paths, committedPaths: paths, unverifiedOid };
  const { refused } = await deps.db.tx(async (tx) => {
    const moved = await moveRepositoryRefs(tx, {
      repoId: repository.id,
      mover: moverOf(actor, repository),
      inputs: new Map([[names.target, inputs]]),
      via: "api",
      mode: "each",
      updates: [update],
      receipt: { sizeBytes: storedBytes + sizeBytes },
    });
    if (moved.refused.length === 0) await settle?.(tx);
    return moved;
  });
  const [refusal] = refused;
  if (refusal === undefined) return { store, branch: shortName(names.target), base, commit: await requireCommit(store, made.oid) };
  if (refusal.reason === "stale") return undefined;
  throw refusal.rule === undefined ? explain(refusal) : explainRule(actor, refusal.rule);
}

/** @compat the message names a user without push permission, not the branch (protections/api.test.ts) */
const explainRule = (actor: UserActor, rule: RuleRefusal): ForgeError =>
  ruleError(rule.reason === "push_not_allowed" ? { ...rule, message: `user cannot commit to repo [user: ${actor.name}]` } : rule);

const branchExists = (name: string): ForgeError => invalid(`branch already exists [name: ${shortName(name)}]`, { reason: "branch_exists" });

function explain({ update, reason, other }: RefRefusal): ForgeError {
  if (reason === "taken")
    return invalid(`the branch ${shortName(update.name)} conflicts with the existing ${shortName(other ?? "")}`, { reason: "ref_conflict" });
  return invalid("[NewBranchName]: GitRefName", { reason: "invalid_ref_name" });
}

/** @compat if only one of author and committer is given, it is used for both (contents/change.test.ts) */
function signAs(deps: ChangeDeps, actor: UserActor, { author, committer }: CommitInput): Attempt["signatures"] {
  const own = gitIdentity(actor, deps.urls);
  const now = { seconds: Math.floor(deps.clock.now() / 1000), offsetMinutes: 0 };
  const isNamed = ({ name, email }: NamedPerson): boolean => name !== "" || email !== "";
  const sign = (person: NamedPerson, other: NamedPerson): Signature => {
    const { name, email } = isNamed(person) ? person : other;
    return { name: name === "" ? own.name : name, email: email === "" ? own.email : email, ...(person.time ?? now) };
  };
  const signature = sign(committer, author);
  return { author: sign(author, committer), committer: signature, isOwn: signature.name === own.name && signature.email === own.email };
}

/**
 * The files of a change at its commit. An unchanged file has an older last commit than this one.
 * @param paths in the order of the result; undefined for deleted files
 */
export async function viewChange(deps: ChangeDeps, { store, branch, base, commit }: MadeChange, paths: readonly (string | undefined)[]): Promise<ChangeView> {
  const lastCommitOid = async (path: string, oid: Oid): Promise<Oid | undefined> => {
    const before = base && (await findEntry(store, base.treeOid, path));
    return before?.oid === oid && base !== undefined ? lastCommitOfPath(deps, { store, tipOid: base.oid }, path) : commit.oid;
  };
  const found = await mapInPieces(paths, async (path): Promise<FoundEntry | undefined> => {
    const entry = path === undefined ? undefined : await findEntry(store, commit.treeOid, path);
    return path === undefined || entry === undefined
      ? undefined
      : { path, mode: entry.mode, oid: entry.oid, lastCommitOid: await lastCommitOid(path, entry.oid) };
  });
  const maxContentBytes = deps.config.repositories.max_blob_bytes;
  const description = { store, rootTreeOid: commit.treeOid, content: true, lfs: true, maxContentBytes };
  const files = await mapInPieces(found, async (entry): Promise<EntryView | null> => (entry && (await describeEntries([entry], description))[0]) ?? null);
  return { at: { kind: "branch", rev: branch, commit }, files };
}
