// URL parsers drop control characters and blanks, and turn a backslash into a slash, so the result could differ from the reviewed text.
const unsafe = /[\p{Cc}\p{Zs}\\]/u;

/**
 * Normalizes a user-supplied web address that the server is to call: only the result may be stored and used.
 * @returns undefined for schemes other than http and https, and for parts that programs parse differently: user names, blanks, control
 * characters
 */
export function readWebAddress(text: string): URL | undefined {
  if (unsafe.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.hostname === "" || url.port === "0") return undefined;
  return url;
}
