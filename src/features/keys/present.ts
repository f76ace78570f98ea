import type { Actor } from "../../access/actor.ts";
import type { RepositoryRight } from "../../access/repository.ts";
import { formatTime } from "../../core/time.ts";
import type { Urls } from "../../core/urls.ts";
import type { DeployKey, PublicKey } from "../../wire/key.ts";
import type { Repository } from "../../wire/repository.ts";
import { presentRepository } from "../repos/present.ts";
import type { RepositoryView } from "../repos/view.ts";
import { presentUser } from "../users/present.ts";
import type { DeployKeyView, OwnedKeyView } from "./view.ts";

/** A user's key (wire facts 4.10). The owner is shown where the view has him. */
export const presentPublicKey = (key: OwnedKeyView, viewer: Actor, urls: Urls): PublicKey => ({
  id: key.id,
  key: key.content,
  url: urls.api("user/keys", key.id),
  title: key.title,
  fingerprint: key.fingerprint,
  created_at: formatTime(key.createdMs),
  // @compat a key that was never used shows when it was added
  last_used_at: formatTime(Math.max(key.createdMs, key.lastUsedMs)),
  ...(key.owner && { user: presentUser(key.owner, viewer, urls), key_type: "user" }),
});

const readRight: RepositoryRight = { mode: "read", unit: () => "read" };

/** The repository inside its deploy keys. @compat it shows a reader's rights, whoever looks */
export const presentKeyRepository = (repository: RepositoryView, viewer: Actor, urls: Urls): Repository =>
  presentRepository({ ...repository, right: readRight }, viewer, urls);

/** @param repository left out in the answer that makes the key */
export const presentDeployKey = (
  key: DeployKeyView,
  address: { readonly ownerName: string; readonly name: string },
  urls: Urls,
  repository?: Repository,
): DeployKey => ({
  id: key.id,
  key_id: key.keyId,
  key: key.content,
  url: urls.api("repos", address.ownerName, address.name, "keys", key.id),
  title: key.title,
  fingerprint: key.fingerprint,
  created_at: formatTime(key.createdMs),
  read_only: key.isReadOnly,
  ...(repository && { repository }),
});
