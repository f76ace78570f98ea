/** Whether a decoded segment of the path is `..` or contains one: such a path is not found. */
export function hasClimbingSegment(rawPath: string): boolean {
  if (!rawPath.includes("..") && !/%2e/i.test(rawPath)) return false;
  return rawPath.split(/\/|%2f|\\|%5c/i).some((segment) => segment.replace(/%2e/gi, ".") === "..");
}

/** Whether the decoded path contains a NUL. No name contains one, and databases cannot look one up. */
export const holdsNul = (rawPath: string): boolean => rawPath.includes("%00");

/**
 * Joins adjacent slashes in the path of a request target, as most servers do: clients often concatenate `/api/v1/` and `/version` to
 * `/api/v1//version`. Encoded slashes and the query stay unchanged, and so does the origin of a target in absolute form (RFC 9112, 3.2.2).
 */
export function joinSlashes(target: string): string {
  if (!target.includes("//")) return target;
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  const origin = /^[a-z]+:\/\/[^/]*/i.exec(path)?.[0] ?? "";
  return origin + path.slice(origin.length).replace(/\/{2,}/g, "/") + target.slice(path.length);
}

/** Maximum length of a path parameter: the longest path that git checks out. Longer values are not found. */
export const maxParameterLength = 4_096;
