import { createReadStream } from "node:fs";
import { join } from "node:path";
import { operator, type UserActor } from "../../access/actor.ts";
import { allScopes } from "../../access/scopes.ts";
import { type Config, ConfigError } from "../../config/config.ts";
import { conflict, forbidden, isForgeError } from "../../core/errors.ts";
import { foldName } from "../../core/names.ts";
import { createUrls } from "../../core/urls.ts";
import type { Db } from "../../db/db.ts";
import { findAccountView } from "../../features/accounts/users/service/accounts.ts";
import { findActor } from "../../features/accounts/users/service/durable-actor.ts";
import { checkName } from "../../features/collaboration/attachments/names.ts";
import type { LfsObject } from "../../features/git/lfs/model.ts";
import type { BroughtFiles } from "../../features/repositories/migrations/service/files.ts";
import { planPulls, splitRefs } from "../../features/repositories/migrations/service/plan-pulls.ts";
import { type BroughtParts, insertImported } from "../../features/repositories/migrations/service/write.ts";
import type { ForeignFile, Tracker } from "../../features/repositories/migrations/tracker.ts";
import { fetchAll } from "../../features/repositories/mirrors/service/fetch.ts";
import { createStore } from "../../features/repositories/refs/service/stores.ts";
import type { NewOwner } from "../../features/repositories/repos/new-repository.ts";
import { checkPlace, checkRepositoryName, isNameTaken, nameTaken } from "../../features/repositories/repos/service/insert.ts";
import { requireRoom } from "../../features/repositories/repos/service/sizes.ts";
import { newSettings } from "../../features/repositories/repos/settings.ts";
import { storageError } from "../../git/objects/durable-fs.ts";
import type { GitStores } from "../../git/stores.ts";
import { registerTransactionHandlers } from "../../mount/mount.ts";
import { type FileStores, openFileStores } from "../../storage/open.ts";
import { openConfiguredDatabase } from "../database.ts";
import { features } from "../features.ts";
import { createLog } from "../log.ts";
import { openStores } from "../stores.ts";
import { type Archive, findArchives, openArchive } from "./archive.ts";
import { readBundle } from "./bundle.ts";
import { readRepository } from "./read-tracker.ts";

/** Options of `hearth import FOLDER`, as typed. */
export interface TypedArchiveOptions {
  readonly owner?: string;
  readonly name?: string;
  readonly as?: string;
  readonly author?: readonly string[];
}

interface ImportDeps {
  readonly config: Config;
  readonly db: Db;
  readonly git: GitStores;
  readonly files: FileStores["files"];
}

interface Wish {
  readonly actor: UserActor;
  readonly owner: NewOwner;
  readonly name: string;
  /** Accounts of this server by their names in the export. */
  readonly authors: ReadonlyMap<string, number>;
}

/**
 * `hearth import FOLDER --owner NAME`: creates the repositories of an export. Each is created completely or not at all, so an import that was
 * interrupted can be repeated; repositories that exist are refused before anything is written. A server may be running.
 * @returns the exit code
 * @throws ConfigError, ForgeError
 */
export async function importArchive(config: Config, folder: string, options: TypedArchiveOptions, print: (text: string) => number): Promise<number> {
  const usage = "usage: import FOLDER --owner NAME [--name NAME] [--as USER] [--author FORMER=NAME]";
  if (options.owner === undefined) throw new ConfigError(usage);
  const folders = await findArchives(folder);
  if (folders.length > 1 && options.name !== undefined) throw new ConfigError(`${folder} has several repositories: --name is for one`);
  const archives: Archive[] = [];
  for (const one of folders) archives.push(await openArchive(one));
  const log = createLog("warn");
  await using opened = new AsyncDisposableStack();
  const db = opened.adopt(await openConfiguredDatabase(config, { log, role: "tool" }), (database) => database.close());
  registerTransactionHandlers(features, db, config);
  const fileStores = openFileStores(config);
  const { git } = await openStores(config, { db, fileStores, log, role: "tool" });
  opened.defer(() => git.close());
  const owner = await namedAccount(db, options.owner);
  const actor = await actorOf(db, owner, options.as);
  const authors = await mapAuthors(db, options.author ?? []);
  const wishes = archives.map((archive) => ({ archive, wish: { actor, owner, authors, name: options.name ?? archive.repository.name } }));
  for (const { wish } of wishes) {
    checkRepositoryName(wish.name);
    await checkPlace({ db, config }, operator, owner, wish.name, () => conflict(`${owner.name}/${wish.name} exists already: choose another name with --name`));
  }
  for (const { archive, wish } of wishes) {
    try {
      await importRepository({ config, db, git, files: fileStores.files }, archive, wish);
    } catch (error) {
      throw storageError(isNameTaken(error) ? nameTaken() : error);
    }
    print(`imported ${owner.name}/${wish.name}\n`);
  }
  return 0;
}

async function namedAccount(db: Db, name: string): Promise<NewOwner> {
  const account = await findAccountView({ db }, name);
  if (account === undefined) throw new ConfigError(`there is no account ${name}`);
  return { id: account.id, name: account.name, kind: account.kind };
}

/** The user who imports: the owner, unless it is an organization. */
async function actorOf(db: Db, owner: NewOwner, as: string | undefined): Promise<UserActor> {
  if (as === undefined && owner.kind === "organization") throw new ConfigError(`${owner.name} is an organization: name the user who imports with --as`);
  const user = as === undefined ? owner : await namedAccount(db, as);
  const urls = createUrls(() => "http://localhost");
  const actor = await findActor({ db, urls }, user.id, { kind: "system", scopes: allScopes, isBasic: false });
  if (actor === undefined) throw forbidden(`${user.name} is not a user`);
  return actor;
}

/** @param mapping `FORMER=NAME` each */
async function mapAuthors(db: Db, mapping: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const authors = new Map<string, number>();
  for (const one of mapping) {
    const [former = "", name = "", ...rest] = one.split("=");
    if (former === "" || name === "" || rest.length > 0) throw new ConfigError(`--author needs FORMER=NAME, not ${one}`);
    const { id, kind } = await namedAccount(db, name);
    if (kind !== "user") throw new ConfigError(`--author ${one}: ${name} is an organization`);
    authors.set(foldName(former), id);
  }
  return authors;
}

/** Objects and files first, then one transaction. */
async function importRepository(deps: ImportDeps, archive: Archive, { actor, owner, name, authors }: Wish): Promise<void> {
  const { config, db } = deps;
  const { tracker, isPrivate, defaultBranch, accounts: names } = await readRepository(archive);
  const ids = [...names].flatMap(([id, former]) => {
    const own = authors.get(foldName(former));
    return own === undefined ? [] : [[id, own] as const];
  });
  await requireRoom(
    { db, config },
    owner.id,
    [...archive.files.values()].reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const fetched = await importBundle(deps, archive, { path: "code.bundle", defaultBranch, ownerId: owner.id });
  const wiki = archive.files.has("wiki.bundle")
    ? await importBundle(deps, archive, { path: "wiki.bundle", defaultBranch: "main", ownerId: owner.id })
    : undefined;
  const refs = splitRefs(fetched.updates, pullPrefix);
  const parts: BroughtParts = {
    code: { ...fetched, updates: refs.own },
    wiki,
    tracker,
    accounts: new Map(ids),
    pulls: await planPulls(deps.git.store(fetched.storeId, fetched.format, 0), tracker.pulls, refs),
    files: await importFiles(deps, archive, tracker),
    largeFiles: await importLargeFiles(deps, archive),
  };
  const repository = { owner, name, description: tracker.about.description, isPrivate, isMirror: false, settings: newSettings(config), originalUrl: "" };
  await db.tx((tx) => insertImported(tx, { config }, actor, repository, parts));
}

const pullPrefix = "refs/pull/";

interface ImportedBundle {
  readonly path: string;
  readonly defaultBranch: string;
  readonly ownerId: number;
}

/** A new store with the objects of a bundle, which are checked like those of a push. No ref exists yet. */
async function importBundle({ config, db, git }: ImportDeps, { folder, files }: Archive, { path, defaultBranch, ownerId }: ImportedBundle) {
  const bundle = files.has(path) ? await readBundle(join(folder, path), defaultBranch) : undefined;
  const format = bundle?.format ?? "sha1";
  const refs = [...(bundle?.refs ?? [])].map(([name, oid]) => ({ name, oid }));
  const branch = bundle?.headRef === undefined ? config.repositories.default_branch : defaultBranch;
  const storeId = await db.tx((tx) => createStore(tx, { format, defaultBranch: branch }));
  const remote = {
    advertised: { format, headRef: bundle?.headRef, refs },
    fetchPack: () => bundle?.pack() ?? nothing(),
    [Symbol.asyncDispose]: async () => {},
  };
  // The quota of the owner applies, but not the limit of a push.
  const limits = { ...config, git: { ...config.git, max_push_bytes: Number.MAX_SAFE_INTEGER } };
  try {
    const fetched = await fetchAll({ db, config: limits }, git.store(storeId, format, 0), remote, { ownerId, signal: new AbortController().signal });
    return { ...fetched, storeId, format, headRef: bundle?.headRef };
  } catch (error) {
    if (isForgeError(error, "invalid")) throw new ConfigError(`${join(folder, path)} cannot be imported: ${error.message}`, { cause: error });
    throw error;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Files whose name or size this server does not accept are left out, as in migrations. */
async function importFiles({ config, files }: ImportDeps, archive: Archive, { issues, pulls, comments, releases }: Tracker): Promise<BroughtFiles> {
  const { attachments } = config;
  const limits = {
    onIssues: { maxBytes: attachments.max_bytes, endings: attachments.allowed_endings },
    onReleases: { maxBytes: attachments.release_max_bytes, endings: ["*"] },
  };
  const brought = new Map<ForeignFile, { name: string; file: string; digest: string; sizeBytes: number }>();
  const stored = new Map<string, { file: string; digest: string; sizeBytes: number }>();
  const bring = async (file: ForeignFile, { maxBytes, endings }: (typeof limits)["onIssues"]): Promise<void> => {
    const listed = /^files\/[0-9a-f]{64}$/.test(file.address) ? archive.files.get(file.address) : undefined;
    if (listed === undefined || listed.bytes > maxBytes || !isAccepted(file.name, endings)) return;
    const kept = stored.get(listed.path) ?? (await store(files, archive, listed.path));
    stored.set(listed.path, kept);
    brought.set(file, { ...kept, name: file.name });
  };
  for (const holder of [...issues, ...pulls, ...comments]) for (const file of holder.files) await bring(file, limits.onIssues);
  for (const release of releases) for (const file of release.files) await bring(file, limits.onReleases);
  return brought;
}

function isAccepted(name: string, endings: readonly string[]): boolean {
  try {
    checkName(name, endings);
    return true;
  } catch (error) {
    if (!isForgeError(error)) throw error;
    return false;
  }
}

async function store(files: FileStores["files"], { folder }: Archive, path: string): Promise<{ file: string; digest: string; sizeBytes: number }> {
  const { name: file, digest, sizeBytes } = await files.receive(createReadStream(join(folder, path)), { maxBytes: Number.MAX_SAFE_INTEGER });
  return { file, digest, sizeBytes };
}

async function importLargeFiles({ files }: ImportDeps, archive: Archive): Promise<readonly LfsObject[]> {
  const objects: LfsObject[] = [];
  for (const { path } of archive.files.values()) {
    if (!path.startsWith("lfs/")) continue;
    const oid = path.slice("lfs/".length);
    const { file, digest, sizeBytes } = await store(files, archive, path);
    if (digest !== oid) throw new ConfigError(`the export in ${archive.folder} is damaged: ${path} has another content than its name says`);
    objects.push({ oid, sizeBytes, file });
  }
  return objects;
}
