/** Schemes that would run or read something where the browser is, instead of handing the code to an application. */
const harmfulSchemes = new Set(["about:", "blob:", "data:", "file:", "filesystem:", "javascript:", "vbscript:", "view-source:", "ws:", "wss:"]);

/** Whether an address can be registered: absolute, printable, without a fragment (RFC 6749, 3.1.2) and without a user name. */
export function isUsableRedirect(text: string): boolean {
  if (text.length > 2_000 || !/^[\x21-\x7e]+$/.test(text) || /[\\#]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  if (harmfulSchemes.has(protocol) || username !== "" || password !== "") return false;
  return (protocol !== "http:" && protocol !== "https:") || (host !== "" && /^https?:\/\/[^/]/.test(text));
}

/** A loopback address as RFC 8252 (7.3) has it: the port is whatever was free. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/[^\s\\#]*)?$/;

/**
 * Whether a request's address is a registered one: the very same text. Of applications on people's own machines the port of a loopback
 * address may differ, and nothing else.
 */
export function matchesRedirect(application: { readonly isConfidential: boolean; readonly redirectUris: readonly string[] }, given: string): boolean {
  if (application.redirectUris.includes(given)) return true;
  const [, host, path = "/"] = (!application.isConfidential && loopback.exec(given)) || [];
  if (host === undefined || !URL.canParse(given)) return false;
  return application.redirectUris.some((registered) => {
    const [, registeredHost, registeredPath = "/"] = loopback.exec(registered) ?? [];
    return registeredHost === host && registeredPath === path;
  });
}

/** Whether two texts are one address: libraries write the root's slash where its author left it out (RFC 3986, 6.2.3). */
export const isSameRedirect = (one: string, other: string): boolean => withRootSlash(one) === withRootSlash(other);

const withRootSlash = (uri: string): string => uri.replace(/^(https?:\/\/[^/?#]+)(?=\?|$)/, "$1/");

/** The address with the parameters of an answer in its query. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "")).toString();
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`;
}

/** Where the answer goes, for the policy of a page whose form leads there: an origin, or a scheme of the application's own. */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol, host } = new URL(redirectUri);
  // A policy knows no addresses of IPv6.
  return (protocol === "http:" || protocol === "https:") && !host.startsWith("[") ? origin : protocol;
}
