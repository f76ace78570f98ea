/** Schemes that a browser would run or read instead of passing the code to an application. */
const harmfulSchemes = new Set(["about:", "blob:", "data:", "file:", "filesystem:", "javascript:", "vbscript:", "view-source:", "ws:", "wss:"]);

/** Whether an address can be registered: absolute, printable, without a fragment (RFC 6749, 3.1.2) and without a user name. */
export function isUsableRedirect(text: string): boolean {
  if (text.length > 2_000 || !/^[\x21-\x7e]+$/.test(text) || /[\\#]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  if (harmfulSchemes.has(protocol) || username !== "" || password !== "") return false;
  return (protocol !== "http:" && protocol !== "https:") || (host !== "" && /^https?:\/\/[^/]/.test(text));
}

/** A loopback address (RFC 8252, 7.3), which may have any port. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/[^\s\\#]*)?$/;

/** Whether a request's address is registered. Strings must be equal, except for the port of a loopback address of a public application. */
export function matchesRedirect(application: { readonly isConfidential: boolean; readonly redirectUris: readonly string[] }, given: string): boolean {
  if (application.redirectUris.includes(given)) return true;
  const [, host, path = "/"] = (!application.isConfidential && loopback.exec(given)) || [];
  if (host === undefined || !URL.canParse(given)) return false;
  return application.redirectUris.some((registered) => {
    const [, registeredHost, registeredPath = "/"] = loopback.exec(registered) ?? [];
    return registeredHost === host && registeredPath === path;
  });
}

/** Whether two strings are the same address. Libraries add the root's slash if it is omitted (RFC 3986, 6.2.3). */
export const isSameRedirect = (one: string, other: string): boolean => withRootSlash(one) === withRootSlash(other);

const withRootSlash = (uri: string): string => uri.replace(/^(https?:\/\/[^/?#]+)(?=\?|$)/, "$1/");

/** The address with response parameters in its query. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "")).toString();
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`;
}

/** The target of the redirect for a page's form-action policy: an origin, or an application's own scheme. */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol, host } = new URL(redirectUri);
  // Content security policies do not support IPv6 addresses.
  return (protocol === "http:" || protocol === "https:") && !host.startsWith("[") ? origin : protocol;
}
