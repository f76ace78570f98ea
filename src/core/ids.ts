/** Parses an id in a path, with or without leading zeros. @returns 0, which never exists, for any other string */
export const readId = (text: string): number => (/^0*\d{1,15}$/.test(text) ? Number(text) : 0);
