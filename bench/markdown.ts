/** Prints tables row by row, while they are measured. */

export const row = (...cells: readonly (string | number)[]): void => console.log(`| ${cells.join(" | ")} |`);

export function head(...cells: readonly string[]): void {
  row(...cells);
  row(...cells.map((_, at) => (at === 0 ? "---" : "---:")));
}

export const fixed = (value: number | undefined): string => (value === undefined ? "-" : value.toFixed(2));
