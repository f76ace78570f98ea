import { invalid } from "../../../../core/errors.ts";

const maxTitleLength = 1_000;
/** In characters. Limited because issue lists include the texts. */
const maxContentLength = 512 * 1_024;

/** @throws ForgeError `invalid` for an empty or too long title */
export function checkTitle(title: string): void {
  if (title.length > maxTitleLength)
    throw invalid(`[Title]: a title can have at most ${maxTitleLength} characters`, { reason: { code: "too_long", max: maxTitleLength } });
}

/** @throws ForgeError `invalid` for a text that is too long */
export function checkContent(content: string): void {
  if (content.length > maxContentLength)
    throw invalid(`[Body]: a text can have at most ${maxContentLength} characters`, { reason: { code: "too_long", max: maxContentLength } });
}
