import type { UserActor } from "../../../../access/actor.ts";
import type { OrganizationSubject, RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, notFound } from "../../../../core/errors.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { type RepositoryPicture, replaceRepositoryPicture } from "../../../repositories/repos/service/avatars.ts";
import { requireRepositoryAdmin } from "../../../repositories/repos/service/require.ts";
import { replaceAccountAvatar } from "../../users/service/avatars.ts";
import { checkPicture } from "../picture.ts";

export interface AvatarDeps {
  readonly db: Db;
  readonly avatars: FileStore;
}

/** A picture's file; null removes it, and the generated one comes back. */
export type Image = Buffer | null;

/** Sets the caller's picture. @throws ForgeError as {@link change} */
export const setUserAvatar = (deps: AvatarDeps, actor: UserActor, image: Image): Promise<void> =>
  change(deps, image, (tx, avatar) => changeAccount(tx, actor, { id: actor.id, name: actor.name, kind: "user" }, avatar));

/** Sets an organization's picture. @throws ForgeError as {@link change}; `forbidden` for callers who are not an owner */
export async function setOrganizationAvatar(deps: AvatarDeps, actor: UserActor, organization: OrganizationSubject, image: Image): Promise<void> {
  if (!organization.isOwner) throw forbidden("Must be an organization owner");
  await change(deps, image, (tx, avatar) => changeAccount(tx, actor, { ...organization, kind: "organization" }, avatar));
}

/** Sets a repository's picture. @throws ForgeError as {@link change}; `forbidden` for callers who are not an administrator */
export const setRepositoryAvatar = (deps: AvatarDeps, actor: UserActor, repository: RepositorySubject, image: Image): Promise<void> =>
  setRepositoryPicture(deps, actor, repository, { kind: "avatar", image });

interface NewPicture {
  readonly kind: RepositoryPicture;
  readonly image: Image;
}

/** Sets a repository's avatar or the image of its link previews. @throws ForgeError as {@link setRepositoryAvatar} */
export async function setRepositoryPicture(deps: AvatarDeps, actor: UserActor, repository: RepositorySubject, { kind, image }: NewPicture): Promise<void> {
  requireRepositoryAdmin(repository);
  await change(deps, image, async (tx, avatar) => {
    const former = await replaceRepositoryPicture(tx, repository.id, kind, avatar);
    if (former === undefined) throw notFound();
    const { id, name, ownerId, ownerName } = repository;
    if (former !== avatar) await recordEvent(tx, "repo.updated", { repoId: id, name, ownerId, ownerName }, { repoId: id, actorId: actor.id });
  });
}

async function changeAccount(
  tx: Tx,
  actor: UserActor,
  account: { readonly id: number; readonly name: string; readonly kind: "user" | "organization" },
  avatar: string,
): Promise<void> {
  const former = await replaceAccountAvatar(tx, account.id, avatar);
  if (former === undefined) throw notFound();
  if (former !== avatar) await recordEvent(tx, "account.updated", { accountId: account.id, name: account.name, kind: account.kind }, { by: actor });
}

/**
 * Writes the file first, then the row that names it. The sweep deletes the previous file later, and that of a change that failed.
 * @param write stores the picture's name in its row
 * @throws ForgeError `too_large` and `invalid` as `checkPicture`
 */
async function change({ db, avatars }: AvatarDeps, image: Image, write: (tx: Tx, avatar: string) => Promise<void>): Promise<void> {
  const avatar = image === null ? "" : await avatars.put(checkPicture(image));
  await db.tx((tx) => write(tx, avatar));
}
