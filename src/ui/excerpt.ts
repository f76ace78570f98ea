/** A line of Markdown without the marks of bold text and code, for lists that do not render it. */
export const withoutMarks = (text: string): string => text.replace(/\*\*|__|`/g, "");
