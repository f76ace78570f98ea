/** Every absolute address that answers carry, made from the configured root only: no request header can change a link. */
export interface Urls {
  /** `http://127.0.0.1:3000`, without a slash at its end. */
  readonly origin: string;
  /** Host name of the root address: the domain of addresses nobody reads. */
  readonly host: string;
  /** Below `/api/v1`; segments are encoded. */
  api(...segments: readonly (string | number)[]): string;
  /** Below the root. */
  web(...segments: readonly (string | number)[]): string;
  /** Where git reaches a repository over SSH. */
  ssh(owner: string, name: string): string;
}

/** Names of owners and repositories, object ids, most paths. */
const needsNoEncoding = /^[\w.~/-]*$/;

/** Encodes a path whose slashes part segments: `feature/x y` is `feature/x%20y`. */
export const encodePath = (path: string): string => (needsNoEncoding.test(path) ? path : path.split("/").map(encodeSegment).join("/"));

/** Percent-encodes what a path segment cannot hold, and no more. */
export const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment.toWellFormed()).replace(/%(21|24|26|27|28|29|2A|2B|2C|3A|3B|3D|40)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/**
 * @param origin asked at each use: a server that takes a free port knows its own only once it listens
 * @param sshPrefix what stands before `owner/name.git`, given the host name of the root address
 */
export function createUrls(origin: () => string, sshPrefix = (host: string): string => `git@${host}:`): Urls {
  const join = (prefix: string, segments: readonly (string | number)[]): string =>
    prefix + segments.map((segment) => `/${encodePath(String(segment))}`).join("");
  let known = { origin: "", host: "" };
  const hostName = (): string => {
    const present = origin();
    if (known.origin !== present) known = { origin: present, host: new URL(present).hostname };
    return known.host;
  };
  return {
    get origin() {
      return origin();
    },
    get host() {
      return hostName();
    },
    api: (...segments) => join(`${origin()}/api/v1`, segments),
    web: (...segments) => join(origin(), segments),
    ssh: (owner, name) => `${sshPrefix(hostName())}${encodeSegment(owner)}/${encodeSegment(name)}.git`,
  };
}

/** A path of this server that a caller has named, to be led back to; `/` for anything that could lead elsewhere. */
export function localPath(text: string | undefined): string {
  // Browsers read a backslash as a slash and leave out tabs and line ends.
  if (text === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return "/";
  const here = "http://here.invalid";
  return URL.canParse(text, here) && new URL(text, here).origin === here ? text : "/";
}

/** Query parameters that carry credentials. An address is shown, logged and sent on; none of them belongs in it a second time. */
const secretParameters = ["token", "access_token"];

/** The same path and query without credentials. */
function withoutSecrets(path: string): string {
  const at = path.indexOf("?");
  if (at < 0) return path;
  const isSecret = (pair: string): boolean => [...new URLSearchParams(pair).keys()].some((name) => secretParameters.includes(name));
  const pairs = path.slice(at + 1).split("&");
  const kept = pairs.filter((pair) => !isSecret(pair));
  if (kept.length === pairs.length) return path;
  return kept.length === 0 ? path.slice(0, at) : `${path.slice(0, at)}?${kept.join("&")}`;
}

/** Where people sign in. @param wanted what they come back to then: a path of this server */
export const signInPath = (wanted?: string): string =>
  wanted === undefined ? "/user/login" : `/user/login?redirect_to=${encodeURIComponent(withoutSecrets(wanted))}`;

/** An address that a browser may be sent to: http or https, nothing hidden in it. */
export function isWebUrl(text: string): boolean {
  if (/[\s\x00-\x1f\x7f\\]/.test(text) || !/^https?:\/\//i.test(text)) return false;
  return URL.canParse(text);
}
