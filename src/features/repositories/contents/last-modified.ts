import type { RepositorySubject } from "../../../access/subjects.ts";

/**
 * The Last-Modified time of a repository's files: the last change of a ref or setting. Commit dates are unsuitable, because an older commit
 * can be pushed later. The time is rounded up to the next second and omitted until then; otherwise clients would miss a further change
 * within the same second. No query is needed.
 *
 * @returns milliseconds; undefined for a change that is too recent
 */
export function lastModifiedOf({ updatedMs }: Pick<RepositorySubject, "updatedMs">, nowMs: number): number | undefined {
  const settledMs = Math.ceil(updatedMs / 1000) * 1000 + 1000;
  return settledMs <= nowMs ? settledMs : undefined;
}
