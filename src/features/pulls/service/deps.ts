import type { Actor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { CommitDeps } from "../../commits/service/views.ts";
import type { Reviewing } from "../reviewing.ts";

export interface PullDeps extends CommitDeps {
  readonly reviewing: Reviewing;
}

/** A request about the pull requests of a repository. */
export interface PullViewing {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly signal?: AbortSignal | undefined;
}
