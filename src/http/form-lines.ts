type Values = Readonly<Record<string, unknown>>;

/**
 * The values of a page's form with LF as line break. Browsers send CR LF, but count one character: the limit of the input is that of the
 * request only without CR.
 */
export const withLineFeeds = (values: Values): Values => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, unixLines(value)]));

const unixLines = (value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\r\n", "\n") : Array.isArray(value) ? value.map(unixLines) : value;
