import type { Unit } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";

/** The part of a repository that a git address names: its code or its wiki. */
export interface GitTarget {
  readonly repository: RepositorySubject;
  readonly part: "code" | "wiki";
  /** Looked up for an earlier request of the same conversation; refs may have moved since. */
  readonly isHeld?: true;
}

/** Null for a wiki without pages. */
export const storeIdOf = ({ repository, part }: GitTarget): number | null => (part === "wiki" ? repository.wikiStoreId : repository.codeStoreId);

/** The unit whose permission applies. */
export const unitOf = ({ part }: Pick<GitTarget, "part">): Unit => (part === "wiki" ? "repo.wiki" : "repo.code");

/** The version of the list of packs at the lookup; undefined if newer objects may be requested, and for a wiki. */
export const packsVersionOf = ({ repository, part, isHeld }: GitTarget): number | undefined =>
  part === "wiki" || isHeld === true ? undefined : repository.packsVersion;
