import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The addresses of the remotes of a bare repository, from its `config`, by name. Gitea keeps the credentials of mirrors there.
 * Empty for a missing file.
 */
export function readRemotes(repository: string): ReadonlyMap<string, string> {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of readText(join(repository, "config")).split(/\r?\n/)) {
    const [, section, name] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? [];
    if (section !== undefined) remote = section.toLowerCase() === "remote" ? name?.replace(/\\(.)/g, "$1") : undefined;
    const [, url] = /^\s*url\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (remote !== undefined && url !== undefined && !remotes.has(remote)) remotes.set(remote, unquoted(url));
  }
  return remotes;
}

const unquoted = (value: string): string => value.replace(/^"(.*)"$/, "$1").replace(/\\(["\\])/g, "$1");

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
