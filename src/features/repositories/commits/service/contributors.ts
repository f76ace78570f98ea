import { LRUCache } from "lru-cache";
import type { Clock } from "../../../../core/clock.ts";
import { conflict } from "../../../../core/errors.ts";
import { listAuthors } from "../../../../git/objects/authors.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { isVisibleTo } from "../../../accounts/users/service/accounts.ts";
import { findPeople } from "../../../accounts/users/service/people.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import { type Contributions, type Contributor, sumContributions } from "../contributions.ts";
import type { CommitDeps, Viewing } from "./loaders.ts";

/** Summarizes a history; the result is cached per tip. */
export type ContributionsReader = (store: GitStore, tipOid: Oid) => Promise<Contributions>;

/** Older commits are not counted. */
export const maxCountedCommits = 50_000;
const keptHistories = 32;

export function createContributionsReader({ clock }: { readonly clock: Clock }): ContributionsReader {
  const kept = new LRUCache<string, Promise<Contributions>>({ max: keptHistories });
  return (store, tipOid) => {
    const key = `${store.key} ${tipOid}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    // Concurrent requests share this read, so it must not be aborted with any one of them.
    const reading = sumContributions(listAuthors(store, tipOid, maxCountedCommits), clock.now());
    kept.set(key, reading);
    reading.catch(() => kept.delete(key));
    return reading;
  };
}

export interface ContributorsDeps extends CommitDeps {
  readonly readContributions: ContributionsReader;
}

export interface ContributorView extends Contributor {
  /** The account with the address, if visible to the caller. */
  readonly user: UserView | undefined;
}

export interface ContributionsView extends Omit<Contributions, "contributors"> {
  readonly contributors: readonly ContributorView[];
}

/** The contributors of the default branch. Two statements. @throws ForgeError `conflict` in an empty repository */
export async function viewContributors(deps: ContributorsDeps, { actor, repository }: Omit<Viewing, "detail">): Promise<ContributionsView> {
  const store = codeStore(deps, repository);
  const tip = repository.isEmpty ? undefined : await resolveRev(deps, store, repository.defaultBranch, ["branch"]);
  if (tip === undefined) throw conflict("Git Repository is empty.", { reason: "repository_empty" });
  const { contributors, ...sums } = await deps.readContributions(store, tip.commitOid);
  const people = await findPeople(
    deps,
    contributors.map(({ email }) => email),
  );
  return {
    ...sums,
    contributors: contributors.map((one) => {
      const user = people.byEmail(one.email);
      return { ...one, user: user !== undefined && isVisibleTo(user, actor) ? user : undefined };
    }),
  };
}
