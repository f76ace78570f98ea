const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** For text and for attributes in double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

/** What stands for a text that could not be rendered: the text itself. */
export const plainText = (text: string): string => `<pre>${escapeHtml(text)}</pre>\n`;
