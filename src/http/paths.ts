/** True when a segment of the path, decoded, climbs: such a path names nothing here. */
export function hasClimbingSegment(rawPath: string): boolean {
  if (!rawPath.includes("..") && !/%2e/i.test(rawPath)) return false;
  return rawPath.split(/\/|%2f|\\|%5c/i).some((segment) => segment.replace(/%2e/gi, ".") === "..");
}

/** True when something that the path names holds a NUL, decoded: no name of anything does, and no store could look one up. */
export const holdsNul = (rawPath: string): boolean => rawPath.includes("%00");
