import { isOid } from "../run/commands.ts";

/** The rules of `git check-ref-format`, and those that a forge adds so that a name is never taken for something else. */

/** Bytes of one component: a client keeps the ref in a file, and its lock beside it, with `.lock` behind the name. */
const componentBytes = 250;
const nameBytes = 1000;

const forbidden = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^\/|\/$/;

function isValidComponent(component: string): boolean {
  return component !== "" && !component.startsWith(".") && !component.endsWith(".lock") && Buffer.byteLength(component) <= componentBytes;
}

/** A complete name, `refs/...`, as git takes it (gitcheckref-format), in well-formed text of a bounded length. */
export function isValidRefName(name: string): boolean {
  if (!name.startsWith("refs/") || forbidden.test(name) || !name.isWellFormed() || Buffer.byteLength(name) > nameBytes) return false;
  return name.split("/").every(isValidComponent);
}

/** What neither a branch nor a tag may be called: an option, a symbolic name, an object id, the beginning of a complete ref name. */
function isMisleading(name: string): boolean {
  return name.startsWith("-") || name === "HEAD" || name === "@" || isOid(name.toLowerCase()) || name.startsWith("refs/");
}

/** A branch name without `refs/heads/`. */
export function isValidBranchName(name: string): boolean {
  return !isMisleading(name) && isValidRefName(`refs/heads/${name}`);
}

/** A tag name without `refs/tags/`. */
export function isValidTagName(name: string): boolean {
  return !isMisleading(name) && isValidRefName(`refs/tags/${name}`);
}

/** Whether a push may make this ref: any valid name, and for branches and tags one that misleads nobody. */
export function isPushableRefName(name: string): boolean {
  if (name.startsWith("refs/heads/")) return isValidBranchName(name.slice("refs/heads/".length));
  if (name.startsWith("refs/tags/")) return isValidTagName(name.slice("refs/tags/".length));
  return isValidRefName(name) && name !== "refs/heads" && name !== "refs/tags";
}

/** The names that cannot be beside this one, because git keeps refs as files: each of its parents. (And no name may begin with it and a slash.) */
export function parentRefNames(name: string): string[] {
  const parts = name.split("/");
  return parts.slice(2).map((_, index) => parts.slice(0, index + 2).join("/"));
}
