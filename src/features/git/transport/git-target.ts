import type { Unit } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";

/** What a git address names: the code of a repository, or its wiki. */
export interface GitTarget {
  readonly repository: RepositorySubject;
  readonly part: "code" | "wiki";
  /** It was looked up for an earlier request of the same conversation: refs may have moved since. */
  readonly isHeld?: true;
}

/** Null for a wiki that nothing was written to yet. */
export const storeIdOf = ({ repository, part }: GitTarget): number | null => (part === "wiki" ? repository.wikiStoreId : repository.codeStoreId);

/** The unit whose right counts. */
export const unitOf = ({ part }: Pick<GitTarget, "part">): Unit => (part === "wiki" ? "repo.wiki" : "repo.code");
