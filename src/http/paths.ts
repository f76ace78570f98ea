/** True when a segment of the path, decoded, climbs: such a path names nothing here. */
export function hasClimbingSegment(rawPath: string): boolean {
  if (!rawPath.includes("..") && !/%2e/i.test(rawPath)) return false;
  return rawPath.split(/\/|%2f|\\|%5c/i).some((segment) => segment.replace(/%2e/gi, ".") === "..");
}

/** True when something that the path names holds a NUL, decoded: no name of anything does, and no store could look one up. */
export const holdsNul = (rawPath: string): boolean => rawPath.includes("%00");

/**
 * Joins adjacent slashes in the path of a request target, as most servers do: `/api/v1/` and `/version` are often put together as
 * `/api/v1//version`. Encoded slashes and the query stay as they are, and so does the origin of a target in absolute form (RFC 9112, 3.2.2).
 */
export function joinSlashes(target: string): string {
  if (!target.includes("//")) return target;
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  const origin = /^[a-z]+:\/\/[^/]*/i.exec(path)?.[0] ?? "";
  return origin + path.slice(origin.length).replace(/\/{2,}/g, "/") + target.slice(path.length);
}

/** The most characters of a path parameter: the longest path that git checks out. A longer one names nothing. */
export const maxParameterLength = 4_096;
