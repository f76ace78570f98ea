/** The first match wins, because browsers also include the names of browsers that they resemble. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const firstOf = (known: readonly (readonly [RegExp, string])[], text: string): string | undefined => known.find(([pattern]) => pattern.test(text))?.[1];

/** A readable name for a user agent, such as `Firefox, Linux`. An unknown user agent is returned unchanged. */
export function browserName(userAgent: string): string {
  const browser = firstOf(browsers, userAgent);
  const system = firstOf(systems, userAgent);
  return browser === undefined ? userAgent : [browser, ...(system === undefined ? [] : [system])].join(", ");
}
