import type { RepositorySubject } from "../../../access/subjects.ts";

/**
 * Since when the files of a repository have been as they are: since its last change of a ref or setting. The dates of commits say nothing about that,
 * since an older commit can be pushed later. The time is rounded up to a later second and left out until then: of a change within the same second
 * a client would not learn. It costs no look-up.
 *
 * @returns milliseconds; undefined for a change that is too recent
 */
export function lastModifiedOf({ updatedMs }: Pick<RepositorySubject, "updatedMs">, nowMs: number): number | undefined {
  const settledMs = Math.ceil(updatedMs / 1000) * 1000 + 1000;
  return settledMs <= nowMs ? settledMs : undefined;
}
