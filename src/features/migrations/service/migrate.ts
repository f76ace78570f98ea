import type { UserActor } from "../../../access/actor.ts";
import type { Config } from "../../../config/config.ts";
import { type ForgeError, invalid, unavailable } from "../../../core/errors.ts";
import type { Db, Tx } from "../../../db/db.ts";
import { recordEvent } from "../../../events/events.ts";
import type { GitStores } from "../../../git/stores.ts";
import type { ObjectFormat } from "../../../git/types.ts";
import { OutgoingError } from "../../../outgoing/client.ts";
import { type BadGitAddress, type GitAddress, readGitAddress } from "../../../outgoing/git-address.ts";
import { RemoteError } from "../../../outgoing/git-connection.ts";
import { type FetchRemote, openFetch } from "../../../outgoing/git-fetch.ts";
import { importObjects } from "../../lfs/service/import.ts";
import type { LfsObject } from "../../lfs/view.ts";
import { type Fetched, fetchAll } from "../../mirrors/service/fetch.ts";
import { addPullMirror, openWiki } from "../../mirrors/service/pull.ts";
import { type RemoteDeps, remoteFailure } from "../../mirrors/service/remote.ts";
import { createStore } from "../../refs/service/stores.ts";
import { branchPrefix, shortName } from "../../refs/view.ts";
import { readMirrorInterval } from "../../repos/mirror-interval.ts";
import type { NewOwner } from "../../repos/new-repository.ts";
import { checkPlace, checkWish, insertNewRepository, isNameTaken, nameTaken } from "../../repos/service/insert.ts";
import { moveRepositoryRefs } from "../../repos/service/move-refs.ts";
import { noteOrigin } from "../../repos/service/origin.ts";
import { requireRoom } from "../../repos/service/sizes.ts";
import { getRepository } from "../../repos/service/views.ts";
import { defaultSettings } from "../../repos/settings.ts";
import type { RepositoryView } from "../../repos/view.ts";
import { adoptWikiStore, moveWikiRefs } from "../../wiki/service/refs.ts";
import { counted, type Progress } from "../progress.ts";
import { type Tracker, wantsAny } from "../tracker.ts";
import type { MigrationWish } from "../wish.ts";
import { openGitea, readTracker } from "./gitea.ts";
import { importTracker } from "./import-tracker.ts";
import { bringLargeFiles, type LargeFileDeps } from "./large-files.ts";
import { findOwner } from "./owner.ts";
import { type PlannedPull, planPulls, pullPrefix, splitRefs } from "./plan-pulls.ts";
import { type BroughtFiles, bringReleaseFiles, type ReleaseFileDeps } from "./release-files.ts";
import { whileSeen } from "./running.ts";

export interface MigrateDeps extends RemoteDeps, LargeFileDeps, ReleaseFileDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly config: Pick<Config, "attachments" | "git" | "lfs" | "limits" | "mirror" | "repositories">;
}

/** What is clear before anything is fetched. */
interface Plan extends MigrationWish {
  readonly from: GitAddress;
  readonly owner: NewOwner;
  readonly intervalMs: number;
}

/** Objects that are in stores of their own, which nobody has yet. */
interface Brought {
  readonly code: Fetched & { readonly storeId: number; readonly headRef: string | undefined };
  /** Undefined where nothing of it is wanted. */
  readonly tracker: Tracker | undefined;
  readonly pulls: readonly PlannedPull[];
  readonly releaseFiles: BroughtFiles;
  readonly largeFiles: readonly LfsObject[];
  readonly wiki: (Fetched & { readonly storeId: number; readonly address: string }) | undefined;
}

/**
 * Makes a repository of one that is elsewhere. Objects come first, into stores that nobody has; then one transaction makes everything that can be
 * seen. Whoever goes away, and whatever fails, before that leaves nothing but stores for the sweep, and the same wish can be made again.
 * Operation `repoMigrate`.
 * @throws ForgeError `invalid` for what cannot be fetched, `conflict` for a name in use, `forbidden`
 */
export async function migrateRepository(deps: MigrateDeps, actor: UserActor, wish: MigrationWish, signal: AbortSignal): Promise<RepositoryView> {
  const plan = await makePlan(deps, actor, wish);
  const announced = { actor, fullName: `${plan.owner.name}/${plan.name}`, address: plan.from.url.href, signal };
  return whileSeen(deps, announced, async (progress, ending) => {
    const brought = await bring(deps, plan, { progress, signal: ending }).catch((error: unknown) => {
      throw ending.aborted ? unavailable("whoever asked for it has gone", { cause: error }) : explain(error);
    });
    progress.phase = "writing";
    return makeRepository(deps, actor, plan, brought);
  });
}

async function makeRepository(deps: MigrateDeps, actor: UserActor, plan: Plan, brought: Brought): Promise<RepositoryView> {
  try {
    const id = await deps.db.tx((tx) => insertMigrated(tx, deps, actor, plan, brought));
    return await getRepository(deps, actor, id);
  } catch (error) {
    throw isNameTaken(error) ? nameTaken() : error;
  }
}

async function makePlan(deps: MigrateDeps, actor: UserActor, wish: MigrationWish): Promise<Plan> {
  checkWish(actor, wish);
  const owner = await findOwner(deps, actor, wish);
  const from = readGitAddress(wish.address, credentialsOf(wish));
  if (typeof from === "string") throw refusals[from](wish.address);
  const intervalMs = wish.isMirror ? readMirrorInterval(wish.mirrorInterval, deps.config, invalid) : 0;
  await checkPlace(deps, actor, owner, wish.name);
  await requireRoom(deps, owner.id, 1);
  return { ...wish, from, owner, intervalMs };
}

/** @compat a token stands where a password does, under this name where none is given */
function credentialsOf({ username, password, token }: MigrationWish): GitAddress["credentials"] {
  if (token !== "") return { username: username === "" ? "oauth2" : username, password: token };
  return username === "" && password === "" ? undefined : { username, password };
}

/** @compat the words of the wire */
const refusals: Readonly<Record<BadGitAddress, (text: string) => ForgeError>> = {
  local: () => invalid("You are not allowed to import local repositories."),
  scheme: (text) => invalid(`migration/cloning from '${hostOf(text)}' is not allowed: the provided url protocol is not allowed`),
  malformed: () => invalid("The provided URL is invalid."),
};

const hostOf = (text: string): string => /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:?#]*)/i.exec(text)?.[1] ?? "";

function explain(error: unknown): unknown {
  if (error instanceof OutgoingError && error.reason === "blocked") return invalid("You can not import from disallowed hosts.");
  if (error instanceof RemoteError && error.reason === "authentication") return invalid(`Authentication failed: ${error.message}`);
  const reason = remoteFailure(error);
  return reason === undefined ? error : invalid(`Migration failed: clone error: ${reason}`);
}

interface Course {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

async function bring(deps: MigrateDeps, plan: Plan, course: Course): Promise<Brought> {
  const { progress, signal } = course;
  await using remote = await openFetch(deps.remotes, plan.from, { signal, morePrefixes: plan.parts.pulls ? [pullPrefix] : [] });
  const { headRef, format } = remote.advertised;
  const fetched = await fetchIntoNew(deps, remote, course);
  const refs = splitRefs(fetched.updates);
  const code = { ...fetched, headRef, updates: refs.own };
  const store = deps.git.store(code.storeId, format);
  const wiki = plan.hasWiki ? await bringWiki(deps, plan, format, course) : undefined;
  progress.phase = "tracker";
  const server = wantsAny(plan.parts) ? openGitea(deps.remotes, plan.from, plan.token, signal) : undefined;
  const tracker = server && (await readTracker(server, plan.parts));
  const pulls = tracker === undefined ? [] : await planPulls(store, tracker.pulls, refs);
  if (tracker !== undefined && pulls.length < tracker.pulls.length) {
    deps.log.warn({ found: tracker.pulls.length, brought: pulls.length }, "pull requests of a migration did not all come with their commits");
  }
  progress.phase = "large files";
  const releaseFiles: BroughtFiles = server && tracker ? await bringReleaseFiles(deps, server, tracker.releases, plan.owner.id) : new Map();
  const tips = { store, tipOids: code.refs.map(({ oid }) => oid) };
  const largeFiles = plan.hasLargeFiles ? await bringLargeFiles(deps, { ...tips, from: plan.from, ownerId: plan.owner.id, signal }) : [];
  return { code, wiki, tracker, pulls, releaseFiles, largeFiles };
}

async function bringWiki(deps: MigrateDeps, { from }: Plan, format: ObjectFormat, course: Course): Promise<Brought["wiki"]> {
  course.progress.phase = "wiki";
  const address = wikiAddressOf(from);
  const remote = await openWiki(deps, address, course.signal);
  if (remote === undefined) return undefined;
  await using wiki = remote;
  const hasPages = wiki.advertised.refs.length > 0 && wiki.advertised.format === format;
  return hasPages ? { ...(await fetchIntoNew(deps, wiki, course)), address: address.url.href } : undefined;
}

async function fetchIntoNew(deps: MigrateDeps, remote: FetchRemote, { progress, signal }: Course): Promise<Fetched & { readonly storeId: number }> {
  const { format, headRef } = remote.advertised;
  const defaultBranch = headRef === undefined ? deps.config.repositories.default_branch : shortName(headRef);
  const storeId = await deps.db.tx((tx) => createStore(tx, { format, defaultBranch }));
  const watched: FetchRemote = { ...remote, fetchPack: (wants) => counted(remote.fetchPack(wants), progress) };
  return { storeId, ...(await fetchAll(deps, deps.git.store(storeId, format), watched, signal)) };
}

/** Where forges have the wiki of what is at an address. */
function wikiAddressOf({ url, credentials }: GitAddress): GitAddress {
  const wiki = new URL(url);
  wiki.pathname = `${url.pathname.replace(/\.git$/, "")}.wiki.git`;
  return { url: wiki, credentials };
}

/** A mirror takes no pull requests: nobody but its source changes it. */
const settingsOf = ({ isMirror }: Plan) => (isMirror ? { ...defaultSettings, hasPullRequests: false } : defaultSettings);

async function insertMigrated(
  tx: Tx,
  deps: MigrateDeps,
  actor: UserActor,
  plan: Plan,
  { code, wiki, tracker, pulls, releaseFiles, largeFiles }: Brought,
): Promise<number> {
  const { owner, name, description, isPrivate, isMirror, intervalMs } = plan;
  const defaultBranch = defaultBranchOf(code) ?? deps.config.repositories.default_branch;
  const shown = { name, description, isPrivate, isTemplate: false, defaultBranch, trustModel: "default", licenses: [] } as const;
  const repository = { ...shown, codeStoreId: code.storeId, settings: settingsOf(plan) };
  const repoId = await insertNewRepository(tx, deps, { actor, owner, repository, isWatched: true });
  const originalUrl = plan.from.url.href;
  await noteOrigin(tx, repoId, { originalUrl, isMirror });
  const { updates, receipt } = code;
  const byServer = { mover: { kind: "server" }, onBehalfOf: actor.id, via: "server", mode: "all" } as const;
  if (updates.length > 0) await moveRepositoryRefs(tx, { repoId, ...byServer, updates, receipt });
  if (wiki !== undefined) {
    await adoptWikiStore(tx, repoId, wiki.storeId);
    await moveWikiRefs(tx, { repoId, storeId: wiki.storeId, mode: "all", updates: wiki.updates, receipt: wiki.receipt });
  }
  if (largeFiles.length > 0) await importObjects(tx, repoId, largeFiles);
  const refNames = new Set(updates.map(({ name: ref }) => ref));
  if (tracker !== undefined) await importTracker(tx, { repoId, storeId: code.storeId, tracker, pulls, refNames, releaseFiles });
  if (isMirror) await addPullMirror(tx, deps, { repoId, address: plan.from, wikiAddress: wiki?.address ?? null, intervalMs });
  const event = { repoId, name, ownerId: owner.id, ownerName: owner.name, originalUrl };
  await recordEvent(tx, "repo.migrated", event, { repoId, actorId: actor.id });
  return repoId;
}

/** The branch that the remote calls its own, where it has come along. */
function defaultBranchOf({ headRef, updates }: Brought["code"]): string | undefined {
  return headRef?.startsWith(branchPrefix) && updates.some(({ name }) => name === headRef) ? shortName(headRef) : undefined;
}
