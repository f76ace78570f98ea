/** Larger files are ignored. */
export const maxSubmodulesBytes = 256 * 1024;

/** Reads the paths and URLs of submodules from a `.gitmodules` file (gitmodules(5)); invalid lines are skipped. */
export function readSubmodules(text: string): ReadonlyMap<string, string> {
  const urls = new Map<string, string>();
  if (text.length > maxSubmodulesBytes) return urls;
  let path = "";
  let url = "";
  const finish = (): void => {
    if (path !== "" && url !== "") urls.set(path, url);
    path = "";
    url = "";
  };
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (trimmed.startsWith("[")) {
      finish();
      continue;
    }
    const equals = trimmed.indexOf("=");
    if (equals === -1 || trimmed.startsWith("#") || trimmed.startsWith(";")) continue;
    const key = trimmed.slice(0, equals).trim().toLowerCase();
    if (key === "path") path = readValue(trimmed.slice(equals + 1));
    else if (key === "url") url = readValue(trimmed.slice(equals + 1));
  }
  finish();
  return urls;
}

/** Reads a value in git's configuration syntax: quotes group, a backslash escapes, a comment ends it. */
function readValue(text: string): string {
  let value = "";
  let isQuoted = false;
  const source = text.trim();
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? "";
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\") {
      at += 1;
      value += source[at] ?? "";
    } else if (!isQuoted && (character === "#" || character === ";")) return value.trimEnd();
    else value += character;
  }
  return value;
}
