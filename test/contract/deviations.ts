import { readFileSync } from "node:fs";

/**
 * The codes of the differences that `contract/deviations.md` explains: the first cells of the tables under "In the description". A cell
 * may contain several.
 */
export function explainedCodes(): readonly string[] {
  const page = readFileSync(new URL("../../contract/deviations.md", import.meta.url), "utf8");
  const [, section = ""] = /^## In the description$(.*?)(?=^## |$(?![\s\S]))/ms.exec(page) ?? [];
  const cells = [...section.matchAll(/^\| (`.*?`) +\|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code));
}
