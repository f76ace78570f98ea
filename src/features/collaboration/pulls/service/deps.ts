import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { KeyedMutex } from "../../../../core/keyed-mutex.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { SignObject } from "../../../../git/objects/format.ts";
import type { CommitDeps } from "../../../repositories/commits/service/loaders.ts";
import type { Reviewing } from "../reviewing.ts";

export interface PullDeps extends CommitDeps {
  readonly clock: Clock;
  readonly urls: Urls;
  /** Queues the writers of each branch. */
  readonly branchQueue: KeyedMutex;
  readonly reviewing: Reviewing;
  /** Signs merges under the users' own names; undefined if the server cannot sign. */
  readonly commitSigner: { readonly sign: SignObject } | undefined;
}

/** A request about the pull requests of a repository. */
export interface PullViewing {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly signal?: AbortSignal | undefined;
}
