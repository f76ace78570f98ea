import { readWebAddress } from "../core/web-address.ts";

/** How one signs in at a remote. */
export interface RemoteCredentials {
  readonly username: string;
  readonly password: string;
}

/** Where a repository elsewhere is reached: nothing in it is secret, and nothing in it can be read as anything else. */
export interface GitAddress {
  /** Without credentials, a query or a fragment, and without a slash at its end. */
  readonly url: URL;
  readonly credentials: RemoteCredentials | undefined;
}

/**
 * `local`: a path or `file:`. `scheme`: a way of reaching it that this server does not go. `malformed`: no address, or one that two programs
 * may read differently.
 */
export type BadGitAddress = "local" | "scheme" | "malformed";

const control = /[\x00-\x1f\x7f]/;
/** What two programs may read differently. */
const unsafe = /[\x00-\x1f\x7f\\]/;
const anyScheme = /^([a-z][a-z0-9+.-]*):\/\//i;
/** `git@host:path`, `host:path`. */
const scpLike = /^[^/\s]+:[^/]/;

/** An address that somebody gives for a repository elsewhere. Names and passwords in it are taken out of it. */
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
  // Without encryption of its own and without a place for them, this protocol takes no credentials.
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

/** The name of a host, perhaps a port, and a path of plain characters: it stands in the request as it is. */
function plainGitAddress(url: URL): URL | undefined {
  return /^[\w.-]+$|^\[[0-9a-fA-F:.]+\]$/.test(url.hostname) && url.port !== "0" && /^\/[\w.~/+-]+$/.test(url.pathname) ? url : undefined;
}
