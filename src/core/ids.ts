/** Reads an id of a path, with or without leading zeros. @returns 0, which is no id, for any other text */
export const readId = (text: string): number => (/^0*\d{1,15}$/.test(text) ? Number(text) : 0);
