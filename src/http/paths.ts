import { valuesOfPathParameter } from "./description-parameters.ts";

/**
 * Paths as routes declare them, for a router that knows wildcards only at the end.
 * A rest parameter (`{ref+}`, `{path*}`) becomes the router's wildcard; what follows it is told apart by a pattern on the wildcard's text:
 * literal text, and parameters that take one of a few words.
 */
export interface CompiledPath {
  /** The router's path: `/repos/:owner/:repo/commits/*`. */
  readonly routerPath: string;
  /** Matches the wildcard's text; undefined when the path has no rest parameter. */
  readonly rest: RegExp | undefined;
  /** The parameters in the wildcard's text, in the order of the pattern's groups. */
  readonly restNames: readonly string[];
  /** Length of the pattern behind the rest parameter: longer ones are tried first. */
  readonly suffixLength: number;
  /** Matches a whole path; for finding out which methods a path knows. */
  readonly pattern: RegExp;
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** @throws Error for a path with two rest parameters, or a parameter behind one that can take any text */
export function compilePath(path: string): CompiledPath {
  const pieces = path.split(/(\{[^}]+\})/);
  let routerPath = "";
  let pattern = "";
  let rest: string | undefined;
  const restNames: string[] = [];
  for (const piece of pieces) {
    const match = /^\{(\w+)([+*]?)\}$/.exec(piece);
    if (match === null) {
      pattern += literally(piece);
      if (rest === undefined) routerPath += piece;
      else rest += literally(piece);
      continue;
    }
    const [, name = "", kind] = match;
    if (rest !== undefined) {
      const values = kind === "" ? valuesOfPathParameter(name) : undefined;
      if (values === undefined) throw new Error(`route path ${path}: only text, and parameters that take one of a few words, may follow a rest parameter`);
      const words = `(${values.map(literally).join("|")})`;
      rest += words;
      pattern += words;
      restNames.push(name);
    } else if (kind === "") {
      routerPath += `:${name}`;
      pattern += "[^/]+";
    } else {
      restNames.push(name);
      rest = kind === "+" ? "(.+)" : "(.*)";
      routerPath += "*";
      pattern += kind === "+" ? ".+" : ".*";
    }
  }
  const suffixLength = rest === undefined ? 0 : rest.length - 4;
  return {
    routerPath,
    rest: rest === undefined ? undefined : new RegExp(`^${rest}$`, "s"),
    restNames,
    suffixLength,
    pattern: new RegExp(`^${pattern}/?$`, "s"),
  };
}

/** True when a segment of the path, decoded, climbs: such a path names nothing here. */
export function hasClimbingSegment(rawPath: string): boolean {
  if (!rawPath.includes("..") && !/%2e/i.test(rawPath)) return false;
  return rawPath.split(/\/|%2f|\\|%5c/i).some((segment) => segment.replace(/%2e/gi, ".") === "..");
}
