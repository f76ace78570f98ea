import { hash } from "node:crypto";
import { wholeText } from "./whole-text.ts";

/** Builds all absolute URLs in responses, only from the configured root: request headers cannot change a link. */
export interface Urls {
  /** `http://127.0.0.1:3000`, without a trailing slash. */
  readonly origin: string;
  /** Host name of the root URL, also used as the domain of no-reply addresses. */
  readonly host: string;
  /** URL below `/api/v1`; segments are encoded. */
  api(...segments: readonly (string | number)[]): string;
  /** URL below the root. */
  web(...segments: readonly (string | number)[]): string;
  /** SSH URL of a repository. */
  ssh(owner: string, name: string): string;
}

/** Names of owners and repositories, object ids, most paths. */
const needsNoEncoding = /^[\w.~/-]*$/;
const isPlainSegment = /^[\w.~-]*$/;

/** Encodes a path with slashes between segments: `feature/x y` becomes `feature/x%20y`. */
export const encodePath = (path: string): string => (needsNoEncoding.test(path) ? path : path.split("/").map(encodeSegment).join("/"));

/** Percent-encodes only the characters that a path segment cannot contain. */
export const encodeSegment = (segment: string): string =>
  isPlainSegment.test(segment)
    ? segment
    : encodeURIComponent(segment.toWellFormed()).replace(/%(21|24|26|27|28|29|2A|2B|2C|3A|3B|3D|40)/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );

/**
 * @param origin evaluated at each use: a server on a free port knows its port only once it listens
 * @param sshPrefix the part before `owner/name.git`, given the host name of the root URL
 */
export function createUrls(origin: () => string, sshPrefix = (host: string): string => `git@${host}:`): Urls {
  const join = (prefix: string, segments: readonly (string | number)[]): string => [prefix, ...segments.map((one) => encodePath(String(one)))].join("/");
  let known = { origin: "", host: "", api: "" };
  const here = (): typeof known => {
    const present = origin();
    if (known.origin !== present) known = { origin: present, host: new URL(present).hostname, api: `${present}/api/v1` };
    return known;
  };
  const hostName = (): string => here().host;
  const apiOrigin = (): string => here().api;
  return {
    get origin() {
      return origin();
    },
    get host() {
      return hostName();
    },
    api: (...segments) => join(apiOrigin(), segments),
    web: (...segments) => join(origin(), segments),
    ssh: (owner, name) => wholeText(sshPrefix(hostName()), encodeSegment(owner), "/", encodeSegment(name), ".git"),
  };
}

/** The properties of an account that select its picture. */
export interface Pictured {
  /** Empty without an upload. */
  readonly avatar: string;
  readonly email: string;
  readonly name: string;
}

/** Path of an account's picture: an upload, or else the identicon of the email address, or of the name for an organization without one. */
export const avatarPath = ({ avatar, email, name }: Pictured): string => `/avatars/${avatar !== "" ? avatar : hash("md5", (email || name).toLowerCase())}`;

/** A redirect target within this server, given by the caller; `/` for any value that could lead elsewhere. */
export function localPath(text: string | undefined): string {
  // Browsers read a backslash as a slash and drop tabs and line breaks.
  if (text === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return "/";
  const here = "http://here.invalid";
  return URL.canParse(text, here) && new URL(text, here).origin === here ? text : "/";
}

/** Query parameters with credentials. URLs are shown, logged and forwarded, so these are removed. */
const secretParameters = ["token", "access_token"];

/** The path and query without credentials. */
function withoutSecrets(path: string): string {
  const at = path.indexOf("?");
  if (at < 0) return path;
  const isSecret = (pair: string): boolean => [...new URLSearchParams(pair).keys()].some((name) => secretParameters.includes(name));
  const pairs = path.slice(at + 1).split("&");
  const kept = pairs.filter((pair) => !isSecret(pair));
  if (kept.length === pairs.length) return path;
  return kept.length === 0 ? path.slice(0, at) : `${path.slice(0, at)}?${kept.join("&")}`;
}

/** Path of the sign-in page. @param wanted the path of this server to return to afterwards */
export const signInPath = (wanted?: string): string =>
  wanted === undefined ? "/user/login" : `/user/login?redirect_to=${encodeURIComponent(withoutSecrets(wanted))}`;

/** A URL that is safe as a redirect target: http or https, without user info. */
export function isWebUrl(text: string): boolean {
  if (/[\s\x00-\x1f\x7f\\]/.test(text) || !/^https?:\/\//i.test(text)) return false;
  return URL.canParse(text);
}
