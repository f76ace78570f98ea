export type TextFormat = "markdown" | "org";
export type TableKind = "comma" | "tab";
export type FileKind = TextFormat | TableKind;
const fileKinds: ReadonlyMap<string, FileKind> = new Map([
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["mdown", "markdown"],
  ["mkd", "markdown"],
  ["livemd", "markdown"],
  ["org", "org"],
  ["csv", "comma"],
  ["tsv", "tab"],
]);

/** The format of a file by its name; undefined for one that is not rendered. */
export const fileKind = (path: string): FileKind | undefined => fileKinds.get(/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "");

/** Whether a file can be rendered, by its name. */
export const canRender = (path: string): boolean => fileKind(path) !== undefined;
