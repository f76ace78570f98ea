import type { Actor } from "../../../../access/actor.ts";
import { isForgeError, notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";
import type { UserView } from "../../users/model.ts";
import { findAccount, findAccountView } from "../../users/service/accounts.ts";
import { type Identicons, identiconSides } from "../identicon.ts";
import { type PictureType, pictureTypeOf } from "../picture.ts";
import { isAccountAvatar, isRepositoryPicture } from "../store.ts";

export interface PictureDeps {
  readonly db: Reader;
  readonly avatars: FileStore;
  readonly identicons: Identicons;
}

/** A picture to serve; its bytes are loaded on demand. */
export interface FoundPicture {
  /** Equal tags mean equal bytes. */
  readonly etag: string;
  load(): Promise<{ readonly type: PictureType; readonly content: Buffer }>;
}

const uploaded = /^[0-9a-f]{64}$/;
/** The MD5 of an email address, or the digest of an upload. */
const digest = /^[0-9a-f]{32}([0-9a-f]{32})?$/;

/**
 * The picture of an account: the upload with this name, or else an identicon drawn from the name. Every digest has one.
 * @param side of an identicon in pixels; rounded to the nearest available size
 * @throws ForgeError `not_found` for an invalid digest
 */
export async function findAccountPicture(deps: PictureDeps, name: string, side: number): Promise<FoundPicture> {
  if (!digest.test(name)) throw notFound();
  if (uploaded.test(name) && (await isAccountAvatar(deps.db, name))) {
    const found = await openUploaded(deps, name);
    if (found !== undefined) return found;
  }
  const drawnSide = Math.min(identiconSides.max, Math.max(identiconSides.min, side));
  return { etag: `${name}-${drawnSide}`, load: async () => ({ type: "image/png", content: deps.identicons(name, drawnSide) }) };
}

/** The picture of a repository. @throws ForgeError `not_found` if no repository has a picture of this name */
export async function findRepositoryPicture(deps: PictureDeps, name: string): Promise<FoundPicture> {
  const found = uploaded.test(name) && (await isRepositoryPicture(deps.db, name)) ? await openUploaded(deps, name) : undefined;
  if (found === undefined) throw notFound();
  return found;
}

async function openUploaded({ avatars }: PictureDeps, name: string): Promise<FoundPicture | undefined> {
  const content = await avatars.get(name);
  const type = content && pictureTypeOf(content);
  return content && type && { etag: name, load: async () => ({ type, content }) };
}

export interface PicturedAccountDeps {
  readonly db: Reader;
}

/**
 * The account with a name, former names included.
 * @throws ForgeError `not_found`, with the same message for missing and hidden accounts
 */
export async function findPicturedAccount(deps: PicturedAccountDeps, actor: Actor, name: string): Promise<UserView> {
  try {
    const found = await findAccount(deps, name, actor);
    const account = await findAccountView(deps, "movedTo" in found ? found.movedTo : found.subject.name);
    if (account !== undefined) return account;
  } catch (error) {
    if (!isForgeError(error, "not_found")) throw error;
  }
  throw notFound();
}
