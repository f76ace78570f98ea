import type { DeployKeyActor, UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden } from "../../../../core/errors.ts";
import type { LfsOperation } from "../model.ts";
import type { LfsDeps } from "./deps.ts";
import { lfsTokenValidMs, makeLfsToken } from "./token.ts";

/** The response to `git-lfs-authenticate`: what the client needs for HTTP. */
export interface LfsInvitation {
  readonly href: string;
  readonly authorization: string;
  readonly validSeconds: number;
}

/** @throws ForgeError `forbidden` for uploads without the right to write */
export function inviteToLfs(
  deps: Pick<LfsDeps, "sealer" | "urls" | "clock">,
  holder: { readonly keyId: number; readonly actor: UserActor | DeployKeyActor },
  repository: RepositorySubject,
  operation: LfsOperation,
): LfsInvitation {
  if (operation === "upload" && !atLeast(repository.right.unit("repo.code"), "write")) throw forbidden("User permission denied for writing.");
  const expiresMs = deps.clock.now() + lfsTokenValidMs;
  return {
    href: `${deps.urls.web(repository.ownerName, repository.name)}.git/info/lfs`,
    authorization: makeLfsToken(deps.sealer, { keyId: holder.keyId, repoId: repository.id, operation, expiresMs }),
    validSeconds: lfsTokenValidMs / 1_000,
  };
}
