import { isOid } from "../run/commands.ts";

/** The rules of `git check-ref-format`, plus rules of the forge that keep ref names unambiguous. */

/** Maximum bytes of a component: clients store the ref in a file, and need room for the `.lock` suffix. */
const componentBytes = 250;
const nameBytes = 1000;

const forbidden = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^\/|\/$/;

function isValidComponent(component: string): boolean {
  return component !== "" && !component.startsWith(".") && !component.endsWith(".lock") && Buffer.byteLength(component) <= componentBytes;
}

/** A complete name, `refs/...`, as git accepts it (gitcheckref-format), in well-formed Unicode of bounded length. */
export function isValidRefName(name: string): boolean {
  if (!name.startsWith("refs/") || forbidden.test(name) || !name.isWellFormed() || Buffer.byteLength(name) > nameBytes) return false;
  return name.split("/").every(isValidComponent);
}

/** Names that branches and tags must not have: an option, a symbolic name, an object id, the prefix of a complete ref name. */
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

/** Whether a push may create this ref: any valid name, and for branches and tags one that is not misleading. */
export function isPushableRefName(name: string): boolean {
  if (name.startsWith("refs/heads/")) return isValidBranchName(name.slice("refs/heads/".length));
  if (name.startsWith("refs/tags/")) return isValidTagName(name.slice("refs/tags/".length));
  return isValidRefName(name) && name !== "refs/heads" && name !== "refs/tags";
}

/** Names that cannot exist together with this one, because git stores refs as files: each of its parents. (Names below it conflict too.) */
export function parentRefNames(name: string): string[] {
  const parts = name.split("/");
  return parts.slice(2).map((_, index) => parts.slice(0, index + 2).join("/"));
}
