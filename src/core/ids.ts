/** An id as a path has it; 0, which nothing has, for any other text. */
export const readId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
