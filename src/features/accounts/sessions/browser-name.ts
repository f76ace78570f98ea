/** The first that fits: browsers name those that they resemble, too. */
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

/** What people call a browser that calls itself so: `Firefox, Linux`. One that is not known is called what it calls itself. */
export function browserName(userAgent: string): string {
  const browser = firstOf(browsers, userAgent);
  const system = firstOf(systems, userAgent);
  return browser === undefined ? userAgent : [browser, ...(system === undefined ? [] : [system])].join(", ");
}
