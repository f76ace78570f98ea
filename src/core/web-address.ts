// Control characters and blanks are taken out by the parser of URLs, and a backslash becomes a slash: what was checked by eye is then something else.
const unsafe = /[\p{Cc}\p{Zs}\\]/u;

/**
 * An address of the web that somebody wants this server to call, as it is called: only what this returns is stored and used.
 * @returns undefined for anything but http and https, and for what two programs may read differently: user names, blanks, control characters
 */
export function readWebAddress(text: string): URL | undefined {
  if (unsafe.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.hostname === "" || url.port === "0") return undefined;
  return url;
}
