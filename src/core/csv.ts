/**
 * A line of a CSV file (RFC 4180). A value that a spreadsheet would take for a formula is preceded by an apostrophe, because users choose many of
 * the names.
 */
export const csvRow = (values: readonly string[]): string => `${values.map(quoted).join(",")}\r\n`;

function quoted(value: string): string {
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
