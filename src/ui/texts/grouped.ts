/** Writes whole numbers as a language groups them: `12,000`. */
export function grouping(language: string): (count: number) => string {
  // Made when the first large number is written: what languages do is loaded with it, and a start would wait for that.
  let format: Intl.NumberFormat | undefined;
  return (count) => {
    if (count < 1_000) return String(count);
    format ??= new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
    return format.format(count);
  };
}
