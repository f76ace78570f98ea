import { escapeHtml } from "../../../core/escape-html.ts";

/** The fallback for a text that could not be rendered: its source. */
export const plainText = (text: string): string => `<pre>${escapeHtml(text)}</pre>\n`;
