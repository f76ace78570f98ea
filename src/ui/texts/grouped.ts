/** Writes whole numbers as a language groups them: `12,000`. */
export function grouping(language: string): (count: number) => string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  return (count) => (count < 1_000 ? String(count) : format.format(count));
}
