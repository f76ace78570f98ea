import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import type { Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { importObjects } from "../../../git/lfs/service/import.ts";
import { addPullMirror } from "../../mirrors/service/pull.ts";
import type { RemoteDeps } from "../../mirrors/service/remote.ts";
import { branchPrefix, shortName } from "../../refs/model.ts";
import { insertNewRepository } from "../../repos/service/insert.ts";
import { moveRepositoryRefs } from "../../repos/service/move-refs.ts";
import { noteOrigin } from "../../repos/service/origin.ts";
import { requireRoom } from "../../repos/service/sizes.ts";
import { importTopics } from "../../repos/service/topics.ts";
import { newSettings, type RepositorySettings } from "../../repos/settings.ts";
import { adoptWikiStore, moveWikiRefs } from "../../wiki/service/refs.ts";
import type { Brought } from "./bring.ts";
import { importTracker } from "./import-tracker.ts";
import type { Plan } from "./plan.ts";

export interface WriteDeps extends RemoteDeps {
  readonly config: Pick<Config, "actions" | "limits" | "repositories">;
}

/** A mirror has no pull requests, because only its source changes it. */
const settingsOf = ({ config }: Pick<WriteDeps, "config">, { isMirror }: Plan) =>
  isMirror ? { ...newSettings(config), hasPullRequests: false } : newSettings(config);

/** Creates the repository with everything that was fetched, in one transaction. @returns its id */
export async function insertMigrated(tx: Tx, deps: WriteDeps, actor: UserActor, plan: Plan, brought: Brought): Promise<number> {
  const { isMirror, intervalMs, from } = plan;
  const repoId = await insertImported(tx, deps, actor, { ...plan, settings: settingsOf(deps, plan), originalUrl: from.url.href }, brought);
  if (isMirror) await addPullMirror(tx, deps, { repoId, address: from, wikiAddress: brought.wiki?.address ?? null, intervalMs });
  return repoId;
}

export interface ImportedRepository extends Pick<Plan, "owner" | "name" | "description" | "isPrivate" | "isMirror"> {
  readonly settings: RepositorySettings;
  /** Empty if the source has no address. */
  readonly originalUrl: string;
}

export interface BroughtParts extends Omit<Brought, "wiki"> {
  readonly wiki: Omit<NonNullable<Brought["wiki"]>, "address"> | undefined;
}

/** Creates a repository from parts whose objects and files are durable, from another server or from an export. @returns its id */
export async function insertImported(
  tx: Tx,
  deps: Pick<WriteDeps, "config">,
  actor: UserActor,
  { owner, name, description, isPrivate, isMirror, settings, originalUrl }: ImportedRepository,
  { code, wiki, tracker, accounts, pulls, files, largeFiles }: BroughtParts,
): Promise<number> {
  const defaultBranch = defaultBranchOf(code) ?? deps.config.repositories.default_branch;
  const shown = {
    name,
    description: description || (tracker?.about.description ?? ""),
    isPrivate,
    isTemplate: false,
    defaultBranch,
    trustModel: "default",
    licenses: [],
  } as const;
  const repository = { ...shown, codeStoreId: code.storeId, settings };
  const repoId = await insertNewRepository(tx, deps, { actor, owner, repository, isWatched: true });
  await noteOrigin(tx, repoId, { originalUrl, isMirror, website: tracker?.about.website ?? "" });
  if (tracker !== undefined) await importTopics(tx, repoId, tracker.about.topics);
  const { updates, receipt } = code;
  const byServer = { mover: { kind: "server" }, onBehalfOf: actor.id, via: "server", mode: "all" } as const;
  if (updates.length > 0) await moveRepositoryRefs(tx, { repoId, ...byServer, updates, receipt });
  if (wiki !== undefined) {
    await adoptWikiStore(tx, repoId, wiki.storeId);
    await moveWikiRefs(tx, { repoId, storeId: wiki.storeId, mode: "all", updates: wiki.updates, receipt: wiki.receipt });
  }
  if (largeFiles.length > 0) await importObjects(tx, repoId, largeFiles);
  const refNames = new Set(updates.map(({ name: ref }) => ref));
  if (tracker !== undefined) await importTracker(tx, { repoId, actorId: actor.id, storeId: code.storeId, tracker, accounts, pulls, refNames, files });
  // Each part has checked the quota on its own; this checks the sum.
  await requireRoom({ db: tx, config: deps.config }, owner.id, 0);
  const event = { repoId, name, ownerId: owner.id, ownerName: owner.name, originalUrl };
  await recordEvent(tx, "repo.migrated", event, { repoId, actorId: actor.id });
  return repoId;
}

/** The remote's default branch, if it was imported. */
function defaultBranchOf({ headRef, updates }: Brought["code"]): string | undefined {
  return headRef?.startsWith(branchPrefix) && updates.some(({ name }) => name === headRef) ? shortName(headRef) : undefined;
}
