import { checkLength, lengths } from "../../../../core/lengths.ts";

/** @throws ForgeError `invalid` for a title that is too long */
export const checkTitle = (title: string): void => checkLength("Title", title, lengths.title);

/** Limited because lists of issues include the texts. @throws ForgeError `invalid` for a text that is too long */
export const checkContent = (content: string): void => checkLength("Body", content, lengths.comment);
