import { readWebAddress } from "../core/web-address.ts";

export interface RemoteCredentials {
  readonly username: string;
  readonly password: string;
}

/** Address of a remote repository: contains no secrets, and is unambiguous to all parsers. */
export interface GitAddress {
  /** Without credentials, query, fragment or trailing slash. */
  readonly url: URL;
  readonly credentials: RemoteCredentials | undefined;
}

/**
 * `local`: a path or `file:`. `scheme`: an unsupported protocol. `malformed`: not a URL, or one that two programs may parse differently.
 */
export type BadGitAddress = "local" | "scheme" | "malformed";

const control = /[\x00-\x1f\x7f]/;
/** Characters that programs parse differently. */
const unsafe = /[\x00-\x1f\x7f\\]/;
const anyScheme = /^([a-z][a-z0-9+.-]*):\/\//i;
/** `git@host:path`, `host:path`. */
const scpLike = /^[^/\s]+:[^/]/;

/** Parses the address of a remote repository given by a user. Credentials in it are separated out. */
export function readGitAddress(text: string, given?: RemoteCredentials): GitAddress | BadGitAddress {
  if (unsafe.test(text) || (given !== undefined && control.test(given.username + given.password))) return "malformed";
  const scheme = anyScheme.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return text.includes("::") || scpLike.test(text) ? "scheme" : "local";
  if (scheme === "file") return "local";
  if (scheme !== "http" && scheme !== "https" && scheme !== "git") return "scheme";
  if (!URL.canParse(text)) return "malformed";
  const parsed = new URL(text);
  const within = credentialsOf(parsed);
  if (within === "malformed") return "malformed";
  parsed.username = "";
  parsed.password = "";
  parsed.search = "";
  parsed.hash = "";
  parsed.pathname = parsed.pathname.replace(/\/+$/, "");
  const url = scheme === "git" ? plainGitAddress(parsed) : readWebAddress(parsed.href);
  if (url === undefined) return "malformed";
  // The git protocol is unencrypted and has no field for credentials.
  return { url, credentials: scheme === "git" ? undefined : (given ?? within) };
}

function credentialsOf({ username, password }: URL): RemoteCredentials | undefined | "malformed" {
  if (username === "" && password === "") return undefined;
  try {
    const credentials = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
    return control.test(credentials.username + credentials.password) ? "malformed" : credentials;
  } catch {
    return "malformed";
  }
}

/** Host name, optional port, and a path of plain characters, which is sent unescaped. */
function plainGitAddress(url: URL): URL | undefined {
  return /^[\w.-]+$|^\[[0-9a-fA-F:.]+\]$/.test(url.hostname) && url.port !== "0" && /^\/[\w.~/+-]+$/.test(url.pathname) ? url : undefined;
}
