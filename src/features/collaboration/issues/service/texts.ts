import { invalid } from "../../../../core/errors.ts";

const maxTitleLength = 1_000;
/** Characters. Every list of issues shows their texts. */
const maxContentLength = 512 * 1_024;

/** @throws ForgeError `invalid` for a title that no list can show */
export function checkTitle(title: string): void {
  if (title.length > maxTitleLength) throw invalid(`[Title]: a title has at most ${maxTitleLength} characters`);
}

/** @throws ForgeError `invalid` for a text that is too long to be read */
export function checkContent(content: string): void {
  if (content.length > maxContentLength) throw invalid(`[Body]: a text has at most ${maxContentLength} characters`);
}
