import { encodeName, isCanonicalName } from "./names.ts";

/**
 * Paths allowed in a tree. The rules are those of git's `verify_path` and fsck, with both `core.protectHFS` and `core.protectNTFS`: a name
 * that some file system treats as `.git` is rejected on every server. Control characters are rejected too.
 */

const componentBytes = 255;
const pathBytes = 4096;

/** Characters that HFS+ ignores in names. */
const hfsIgnored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const control = /[\x00-\x1f\x7f]/;

/** The name that NTFS opens: no stream, no trailing dots and spaces, any case. */
function ntfsName(component: string): string {
  return component
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
}

function hfsName(component: string): string {
  return component.replace(hfsIgnored, "").toLowerCase();
}

/** Whether a file system treats the component as `.git`. */
export function isDotGit(component: string): boolean {
  if (hfsName(component) === ".git") return true;
  // NTFS also splits at a backslash.
  return component.split("\\").some((part) => {
    const name = ntfsName(part);
    return name === ".git" || name === "git~1";
  });
}

/** Whether a file system treats the component as `.gitmodules`, including NTFS short names. */
export function isDotGitmodules(component: string): boolean {
  if (hfsName(component) === ".gitmodules") return true;
  return component.split("\\").some((part) => {
    const name = ntfsName(part);
    return name === ".gitmodules" || /^gitmod~[1-4]$/.test(name) || isFallbackShortName(name);
  });
}

/** NTFS short name when `gitmod~1` to `~4` are taken: eight characters, a prefix of `gi7eba` and a number. */
function isFallbackShortName(name: string): boolean {
  const match = /^([^~]{0,6})~[1-9][0-9]*$/.exec(name);
  return match !== null && name.length === 8 && "gi7eba".startsWith(match[1] ?? "");
}

function isValidComponent(component: string): boolean {
  if (component === "" || component === "." || component === ".." || control.test(component)) return false;
  return isCanonicalName(component) && encodeName(component).length <= componentBytes && !isDotGit(component);
}

/** Whether a file of this mode may be written at the path (`a/b/c`, without a slash at either end). */
export function isWritablePath(path: string, mode: string): boolean {
  if (encodeName(path).length > pathBytes) return false;
  const components = path.split("/");
  if (!components.every(isValidComponent)) return false;
  // Git follows a `.gitmodules` symbolic link, so links of this name are not allowed.
  return mode !== "120000" || !components.some(isDotGitmodules);
}
