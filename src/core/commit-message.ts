/** Parts of messages of commits and tags for pages and feeds. A message can have 8 MB, also without a line break. */

const maxTitleLength = 500;
const maxBodyLength = 100_000;

const cut = (text: string, maxLength: number): string => (text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`);

function titleEnd(message: string): number {
  const end = message.indexOf("\n");
  return end < 0 ? message.length : end;
}

/** The first line, cut off after 500 characters. */
export const messageTitle = (message: string): string => cut(message.slice(0, Math.min(titleEnd(message), maxTitleLength + 1)), maxTitleLength);

/** The text after the first line, cut off after 100,000 characters. */
export const messageBody = (message: string): string => cut(message.slice(titleEnd(message) + 1).trim(), maxBodyLength);

/** The whole message, cut off after 100,000 characters or fewer. */
export const shownMessage = (message: string, maxLength = maxBodyLength): string => cut(message, maxLength);
