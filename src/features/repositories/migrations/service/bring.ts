import type { Config } from "../../../../config/config.ts";
import type { Db } from "../../../../db/db.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { ObjectFormat } from "../../../../git/types.ts";
import type { GitAddress } from "../../../../outgoing/git-address.ts";
import { type FetchRemote, openFetch } from "../../../../outgoing/git-fetch.ts";
import type { LfsObject } from "../../../git/lfs/model.ts";
import { type Fetched, fetchAll } from "../../mirrors/service/fetch.ts";
import { openWiki } from "../../mirrors/service/pull.ts";
import type { RemoteDeps } from "../../mirrors/service/remote.ts";
import { branchPrefix, shortName } from "../../refs/model.ts";
import { createStore, getStore } from "../../refs/service/stores.ts";
import { counted } from "../progress.ts";
import { holdStore, type OpenMigration } from "../store.ts";
import { type Tracker, wantsAny } from "../tracker.ts";
import { type BroughtFiles, bringFiles, type FileDeps } from "./files.ts";
import { openGitea } from "./gitea.ts";
import { openGithub } from "./github.ts";
import { openGitlab } from "./gitlab.ts";
import { bringLargeFiles, type LargeFileDeps } from "./large-files.ts";
import type { MigrationProgress } from "./migration-progress.ts";
import type { Plan } from "./plan.ts";
import { type PlannedPull, planPulls, splitRefs } from "./plan-pulls.ts";
import { type FindLinkedAccounts, findSameAccounts, type SameAccounts } from "./same-accounts.ts";
import type { TrackerSource } from "./tracker-source.ts";

export interface BringDeps extends RemoteDeps, LargeFileDeps, FileDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly findLinkedAccounts: FindLinkedAccounts;
  readonly config: Pick<Config, "attachments" | "git" | "lfs" | "limits" | "repositories">;
}

/** Fetched objects in stores without a repository, and the tracker data. */
export interface Brought {
  readonly code: FetchedStore & { readonly headRef: string | undefined };
  /** Undefined if not requested. */
  readonly tracker: Tracker | undefined;
  readonly accounts: SameAccounts;
  readonly pulls: readonly PlannedPull[];
  /** Attachments of issues, comments and releases. */
  readonly files: BroughtFiles;
  readonly largeFiles: readonly LfsObject[];
  readonly wiki: (FetchedStore & { readonly address: string }) | undefined;
}

interface FetchedStore extends Fetched {
  readonly storeId: number;
}

/**
 * Fetches all requested parts. They are not visible yet; sweeps remove them if the migration is aborted.
 * @throws OutgoingError, RemoteError; ForgeError for rejected contents
 */
export async function bring(deps: BringDeps, plan: Plan, migration: OpenMigration, reporting: MigrationProgress): Promise<Brought> {
  const { progress, signal } = reporting;
  const source = openSource(deps, plan, reporting);
  const headPrefix = plan.parts.pulls ? source?.headPrefix : undefined;
  await using remote = onlyHeads(await openFetch(deps.remotes, plan.from, { signal, morePrefixes: headPrefix === undefined ? [] : [headPrefix] }), headPrefix);
  const { headRef, format } = remote.advertised;
  const fetched = await fetchCode(deps, remote, migration, reporting);
  const refs = splitRefs(fetched.updates, headPrefix);
  const code = { ...fetched, headRef, updates: refs.own };
  const store = deps.git.store(code.storeId, format);
  progress.phase = "tracker";
  const tracker = await source?.read(plan.parts);
  const accounts: SameAccounts = source && tracker ? await findSameAccounts(deps.findLinkedAccounts, source, tracker) : new Map();
  const pulls = tracker === undefined ? [] : await planPulls(store, tracker.pulls, refs);
  if (tracker !== undefined && pulls.length < tracker.pulls.length) {
    deps.log.warn({ found: tracker.pulls.length, brought: pulls.length }, "pull requests of a migration did not all come with their commits");
  }
  progress.phase = "large files";
  const files: BroughtFiles = source && tracker ? await bringFiles(deps, source.server, tracker, plan.owner.id) : new Map();
  const tips = { store, tipOids: code.refs.map(({ oid }) => oid) };
  const largeFiles = plan.hasLargeFiles ? await bringLargeFiles(deps, { ...tips, from: plan.from, ownerId: plan.owner.id, signal }) : [];
  // Last, because only its age protects its store from the sweep.
  const wiki = plan.hasWiki ? await bringWiki(deps, plan, format, reporting) : undefined;
  return { code, wiki, tracker, accounts, pulls, files, largeFiles };
}

const openers = { gitea: openGitea, github: openGithub, gitlab: openGitlab } as const;

/** Undefined if only code is requested, or the server's API is unknown. @throws RemoteError for a URL that is not a repository of such a server */
function openSource(
  { remotes }: BringDeps,
  { service, parts, from, token, isPrivate }: Plan,
  { signal, progress }: MigrationProgress,
): TrackerSource | undefined {
  if (service === "git" || !wantsAny(parts)) return undefined;
  return openers[service]({ client: remotes, from, token, signal, progress, withConfidential: isPrivate });
}

/** Skips other pull request refs of forges, such as test merges. */
function onlyHeads(remote: FetchRemote, headPrefix: string | undefined): FetchRemote {
  if (headPrefix === undefined) return remote;
  const refs = remote.advertised.refs.filter(({ name }) => !name.startsWith(headPrefix) || /^[1-9]\d{0,9}\/head$/.test(name.slice(headPrefix.length)));
  return { ...remote, advertised: { ...remote.advertised, refs } };
}

/** The store is referenced by the migration, so that a retry after a restart need not fetch the objects again. */
async function fetchCode(deps: BringDeps, remote: FetchRemote, migration: OpenMigration, reporting: MigrationProgress): Promise<FetchedStore> {
  const earlier = await earlierStore(deps, remote, migration);
  const storeId =
    earlier ??
    (await deps.db.tx(async (tx) => {
      const id = await createStore(tx, storeOptions(deps, remote));
      await holdStore(tx, migration.id, id);
      return id;
    }));
  if (earlier === undefined) reporting.progress.receivedBytes = 0;
  const fetched = await fetchInto(deps, remote, reporting, { storeId, ownerId: migration.ownerId, hasEarlier: earlier !== undefined });
  await reporting.note();
  const isAllEarlier = earlier !== undefined && fetched.receipt.sizeBytes === 0;
  return isAllEarlier ? { ...fetched, receipt: { sizeBytes: migration.receivedBytes } } : fetched;
}

/** Undefined if there is none, or the remote's object format has changed. */
async function earlierStore(deps: BringDeps, remote: FetchRemote, { codeStoreId }: OpenMigration): Promise<number | undefined> {
  const store = codeStoreId === null ? undefined : await getStore(deps.db, codeStoreId);
  const { format, defaultBranch } = storeOptions(deps, remote);
  return store?.format === format && store.headRef === branchPrefix + defaultBranch ? store.id : undefined;
}

function storeOptions(
  { config }: BringDeps,
  { advertised: { format, headRef } }: FetchRemote,
): { readonly format: ObjectFormat; readonly defaultBranch: string } {
  return { format, defaultBranch: headRef === undefined ? config.repositories.default_branch : shortName(headRef) };
}

async function fetchInto(
  deps: BringDeps,
  remote: FetchRemote,
  { progress, signal }: MigrationProgress,
  { storeId, ownerId, hasEarlier }: { readonly storeId: number; readonly ownerId: number; readonly hasEarlier: boolean },
): Promise<FetchedStore> {
  const watched: FetchRemote = { ...remote, fetchPack: (wants) => counted(remote.fetchPack(wants), progress) };
  const store = deps.git.store(storeId, remote.advertised.format);
  return { storeId, ...(await fetchAll(deps, store, watched, { ownerId, signal, hasEarlier })) };
}

async function bringWiki(deps: BringDeps, { from, owner }: Plan, format: ObjectFormat, reporting: MigrationProgress): Promise<Brought["wiki"]> {
  reporting.progress.phase = "wiki";
  const address = wikiAddressOf(from);
  const remote = await openWiki(deps, address, reporting.signal);
  if (remote === undefined) return undefined;
  await using wiki = remote;
  const hasPages = wiki.advertised.refs.length > 0 && wiki.advertised.format === format;
  if (!hasPages) return undefined;
  const storeId = await deps.db.tx((tx) => createStore(tx, storeOptions(deps, wiki)));
  return { ...(await fetchInto(deps, wiki, reporting, { storeId, ownerId: owner.id, hasEarlier: false })), address: address.url.href };
}

/** The clone URL of the wiki on forges. */
function wikiAddressOf({ url, credentials }: GitAddress): GitAddress {
  const wiki = new URL(url);
  wiki.pathname = `${url.pathname.replace(/\.git$/, "")}.wiki.git`;
  return { url: wiki, credentials };
}
