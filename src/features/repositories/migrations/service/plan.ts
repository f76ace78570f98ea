import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import { type ForgeError, invalid, isForgeError } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { OutgoingError } from "../../../../outgoing/client.ts";
import { type BadGitAddress, type GitAddress, readGitAddress } from "../../../../outgoing/git-address.ts";
import { RemoteError } from "../../../../outgoing/git-connection.ts";
import { remoteFailure } from "../../mirrors/service/remote.ts";
import { readMirrorInterval } from "../../repos/mirror-interval.ts";
import type { NewOwner } from "../../repos/new-repository.ts";
import { checkPlace, checkRepositoryInput } from "../../repos/service/insert.ts";
import { requireRoom } from "../../repos/service/sizes.ts";
import type { MigrationInput } from "../migration-input.ts";
import { findOwner } from "./owner.ts";

export interface PlanDeps {
  readonly db: Reader;
  readonly config: Pick<Config, "limits" | "mirror" | "repositories">;
}

/** The validated input of a migration, before any fetch. */
export interface Plan extends MigrationInput {
  readonly from: GitAddress;
  readonly owner: NewOwner;
  readonly intervalMs: number;
}

/** @throws ForgeError `invalid` for an invalid source, `conflict` for a name in use, `forbidden`, `too_large` if the owner's quota is exceeded */
export async function makePlan(deps: PlanDeps, actor: UserActor, request: MigrationInput): Promise<Plan> {
  checkRepositoryInput(actor, request);
  const owner = await findOwner(deps, actor, request);
  const from = readGitAddress(request.address, credentialsOf(request));
  if (typeof from === "string") throw refusals[from](request.address);
  const intervalMs = request.isMirror ? readMirrorInterval(request.mirrorInterval, deps.config, invalid) : 0;
  await checkPlace(deps, actor, owner, request.name);
  await requireRoom(deps, owner.id, 1);
  return { ...request, from, owner, intervalMs };
}

/** Checks the address of a source without its server. @throws ForgeError `invalid` */
export function checkSourceAddress(address: string): void {
  const read = readGitAddress(address);
  if (typeof read === "string") throw refusals[read](address);
}

/** @compat a token is used as the password, with this username if none is given (migrations/gitlab.test.ts) */
function credentialsOf({ username, password, token }: MigrationInput): GitAddress["credentials"] {
  if (token !== "") return { username: username === "" ? "oauth2" : username, password: token };
  return username === "" && password === "" ? undefined : { username, password };
}

/** Other addresses without a scheme lack one by mistake, such as `example.org/owner/name.git`. */
const localPath = /^(?:[/\\.~]|[a-z]:\\|file:)/i;

/** @compat Gitea's messages (migrations/api.test.ts) */
const refusals: Readonly<Record<BadGitAddress, (text: string) => ForgeError>> = {
  local: (text) => invalid("You are not allowed to import local repositories.", { reason: localPath.test(text) ? "source_local" : "source_scheme" }),
  scheme: (text) => invalid(`migration/cloning from '${hostOf(text)}' is not allowed: the provided url protocol is not allowed`, { reason: "source_scheme" }),
  malformed: () => invalid("The provided URL is invalid.", { reason: "invalid_url" }),
};

const hostOf = (text: string): string => /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:?#]*)/i.exec(text)?.[1] ?? "";

/** Converts errors of the source server to Gitea's messages; returns other errors unchanged. */
export function explain(error: unknown): unknown {
  if (error instanceof OutgoingError && error.reason === "blocked") return invalid("You can not import from disallowed hosts.");
  if (error instanceof RemoteError && error.reason === "authentication") return invalid(`Authentication failed: ${error.message}`);
  // Size limits are reported as everywhere else.
  if (isForgeError(error, "too_large")) return error;
  const reported = remoteFailure(error);
  return reported === undefined ? error : invalid(`Migration failed: clone error: ${reported.message}`);
}
