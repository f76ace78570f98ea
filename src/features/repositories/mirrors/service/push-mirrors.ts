import { randomBytes } from "node:crypto";
import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import { malformed, notFound, unauthenticated } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { PushMirrorEvent } from "../../../../events/access-events.ts";
import { recordEvent } from "../../../../events/events.ts";
import { OutgoingError } from "../../../../outgoing/client.ts";
import { type BadGitAddress, type GitAddress, readGitAddress } from "../../../../outgoing/git-address.ts";
import { readMirrorInterval } from "../../repos/mirror-interval.ts";
import type { PushMirrorView } from "../model.ts";
import { deletePushMirrorRow, findPushMirrorByName, insertPushMirror, pagePushMirrors } from "../store/push.ts";
import { enqueuePush } from "./push.ts";
import { type RemoteDeps, sealRemote } from "./remote.ts";

export interface PushMirrorDeps extends RemoteDeps {
  readonly db: Db;
  readonly config: Pick<Config, "mirror">;
}

export interface PushMirrorInput {
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** As given by the client; empty for the server's default. */
  readonly interval: string;
  readonly syncsOnCommit: boolean;
}

type Owned = Pick<RepositorySubject, "id">;
type Changed = Pick<RepositorySubject, "id" | "fullName">;

const eventOf = ({ id: repoId, fullName: repoName }: Changed, name: string, address: string): PushMirrorEvent => ({ repoId, repoName, name, address });

/** Operation `repoListPushMirrors`. One statement. */
export const listPushMirrors = (deps: { readonly db: Reader }, repository: Owned, page: Page): Promise<Paged<PushMirrorView>> =>
  pagePushMirrors(deps.db, repository.id, page);

/** Operation `repoGetPushMirrorByRemoteName`. @throws ForgeError `not_found` */
export async function getPushMirror(deps: { readonly db: Reader }, repository: Owned, name: string): Promise<PushMirrorView> {
  const mirror = await findPushMirrorByName(deps.db, repository.id, name);
  if (mirror === undefined) throw notFound();
  return mirror;
}

/**
 * Adds a push mirror and pushes to it immediately. Operation `repoAddPushMirror`.
 * @throws ForgeError `malformed`, `unauthenticated` for an address that is not allowed
 */
export async function addPushMirror(deps: PushMirrorDeps, actor: UserActor, repository: Changed, input: PushMirrorInput): Promise<PushMirrorView> {
  const intervalMs = readMirrorInterval(input.interval, deps.config, malformed);
  const given = input.username === "" && input.password === "" ? undefined : { username: input.username, password: input.password };
  const address = readGitAddress(input.address, given);
  if (typeof address === "string") throw refusals[address]();
  await checkHost(deps, address);
  const name = `remote_mirror_${randomName()}`;
  const remote = sealRemote(deps, address);
  await deps.db.tx(async (tx) => {
    const id = await insertPushMirror(tx, { repoId: repository.id, name, intervalMs, syncsOnCommit: input.syncsOnCommit, ...remote });
    await enqueuePush(tx, id);
    await recordEvent(tx, "push_mirror.created", eventOf(repository, name, remote.address), { repoId: repository.id, by: actor });
  });
  return getPushMirror(deps, repository, name);
}

/** @compat Gitea's statuses and messages (mirrors/api.test.ts) */
const refusals: Readonly<Record<BadGitAddress, () => Error>> = {
  local: () => unauthenticated("Permission denied"),
  scheme: () => malformed("Invalid mirror protocol", { reason: "invalid_url" }),
  malformed: () => malformed("Invalid Url ", { reason: "invalid_url" }),
};

/** A host name that does not resolve now may do so later; the mirror then reports the error. */
async function checkHost({ remotes }: RemoteDeps, { url }: GitAddress): Promise<void> {
  try {
    await remotes.resolve(url);
  } catch (error) {
    if (error instanceof OutgoingError && error.reason === "blocked") throw unauthenticated("Permission denied");
    if (!(error instanceof OutgoingError)) throw error;
  }
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const randomName = (): string => [...randomBytes(10)].map((byte) => letters[byte % letters.length]).join("");

/** Operation `repoDeletePushMirror`. @compat deleting an unknown mirror succeeds (mirrors/api.test.ts) */
export async function deletePushMirror(deps: { readonly db: Db }, actor: UserActor, repository: Changed, name: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const address = await deletePushMirrorRow(tx, repository.id, name);
    if (address === undefined) return;
    await recordEvent(tx, "push_mirror.deleted", eventOf(repository, name, address), { repoId: repository.id, by: actor });
  });
}
