import { operator } from "../../../../access/actor.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import { readCommits } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { findPeople } from "../../users/service/people.ts";
import type { SignatureVerifier } from "./signatures.ts";

interface UnverifiedDeps {
  readonly db: Reader;
  readonly urls: Pick<Urls, "host">;
  readonly signatures: SignatureVerifier;
}

/** Number of commits whose signatures are checked together. */
const batch = 200;

/** The first commit without a valid signature by its committer; undefined if all have one. */
export async function findUnverified(deps: UnverifiedDeps, store: GitStore, oids: readonly Oid[]): Promise<Oid | undefined> {
  for (let from = 0; from < oids.length; from += batch) {
    const part = oids.slice(from, from + batch);
    const commits = await readCommits(store, part);
    const claims = commits.flatMap((commit) => (commit === undefined ? [] : [{ object: commit, email: commit.committer.email }]));
    const people = await findPeople(
      deps,
      claims.map(({ email }) => email),
    );
    // A signature's validity must not depend on which users the pusher can see.
    const verdicts = await deps.signatures.verify(operator, claims, people);
    const found = part.find((oid) => verdicts.get(oid)?.isVerified !== true);
    if (found !== undefined) return found;
  }
  return undefined;
}
