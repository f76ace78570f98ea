/** Numbers as a language writes them. Creating a format takes as long as rendering a row of a list, so formats are kept. */

const styles = {
  count: { maximumFractionDigits: 0 },
  decimal: { maximumFractionDigits: 1 },
  percent: { style: "percent", maximumFractionDigits: 1 },
  wholePercent: { style: "percent", maximumFractionDigits: 0 },
} as const satisfies Readonly<Record<string, Intl.NumberFormatOptions>>;

const formats = new Map<string, Intl.NumberFormat>();

function formatted(value: number, language: string, style: keyof typeof styles): string {
  const key = `${style} ${language}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(language, styles[style]);
  formats.set(key, format);
  return format.format(value);
}

/** A whole number: `12,000`. Small ones need no format, whose first use loads the rules of all languages. */
export const countText = (count: number, language: string): string => (count < 1_000 ? String(count) : formatted(count, language, "count"));

/** {@link countText} for the texts of one language. */
export const grouping =
  (language: string): ((count: number) => string) =>
  (count) =>
    countText(count, language);

/** With at most one decimal: `3.4`. */
export const decimalText = (value: number, language: string): string => formatted(value, language, "decimal");

/** @param share between 0 and 1 */
export const percentText = (share: number, language: string): string => formatted(share, language, "percent");
export const wholePercentText = (share: number, language: string): string => formatted(share, language, "wholePercent");
