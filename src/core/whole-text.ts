/**
 * A text of parts that is stored in one piece. A template, a sum and a slice only refer to their parts, and the engine takes three times as long to write
 * an object with one of them to JSON. Texts of API answers are made in this way.
 */
export const wholeText = (...parts: readonly (string | number)[]): string => parts.join("");
