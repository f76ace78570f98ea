import type { UserActor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import { newBlob, newCommit, newTree, type SignObject } from "../../../../git/objects/format.ts";
import type { GitObject, ObjectFormat, Oid } from "../../../../git/types.ts";
import { gitIdentity } from "../../../accounts/users/git-identity.ts";
import { getUser } from "../../../accounts/users/service/accounts.ts";
import { detectLicenses } from "../../../site/license-templates/license-detection.ts";
import { initialFiles } from "../../../site/license-templates/service.ts";
import { branchPrefix } from "../../refs/model.ts";
import type { RefUpdate } from "../../refs/moves.ts";
import type { NewOwner, NewRepository } from "../new-repository.ts";

interface FirstCommitDeps {
  readonly db: Reader;
  readonly clock: Clock;
  readonly urls: Urls;
  /** Signs commits that users make under their own names; undefined if the server does not sign. */
  readonly commitSigner: { readonly sign: SignObject } | undefined;
}

export interface FirstCommit {
  readonly oid: Oid;
  readonly objects: readonly GitObject[];
  readonly update: RefUpdate;
  /** SPDX ids of its license. */
  readonly licenses: readonly string[];
}

/**
 * Creates the initial commit of a repository from templates; nothing is stored yet.
 * @throws ForgeError `malformed` or `invalid` for unknown templates
 */
export async function makeFirstCommit(
  deps: FirstCommitDeps,
  actor: UserActor,
  owner: NewOwner,
  input: NewRepository & { readonly format: ObjectFormat },
): Promise<FirstCommit> {
  const { format } = input;
  const nowMs = deps.clock.now();
  const holder = { year: new Date(nowMs).getUTCFullYear(), name: owner.name };
  const files = await initialFiles({ ...input, holder });
  const blobs = files.map(({ path, text }) => ({ path, blob: newBlob(format, Buffer.from(text)) }));
  const tree = newTree(
    format,
    blobs.map(({ path, blob }) => ({ mode: "100644" as const, name: path, oid: blob.oid })),
  );
  const author = owner.kind === "organization" || owner.id === actor.id ? actor : await getUser(deps, owner.id);
  const signature = { ...gitIdentity(author, deps.urls), seconds: Math.floor(nowMs / 1000), offsetMinutes: 0 };
  const commit = newCommit(
    format,
    { treeOid: tree.oid, parentOids: [], author: signature, committer: signature, message: "Initial commit\n" },
    author === actor ? deps.commitSigner?.sign : undefined,
  );
  const license = files.find(({ path }) => path === "LICENSE");
  return {
    oid: commit.oid,
    objects: [...blobs.map(({ blob }) => blob), tree, commit],
    update: { name: branchPrefix + input.defaultBranch, oldOid: null, newOid: commit.oid, type: "commit", peeledOid: "", tipMs: signature.seconds * 1000 },
    licenses: license === undefined ? [] : await detectLicenses(license.text),
  };
}
