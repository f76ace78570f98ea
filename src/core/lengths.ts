import { invalid } from "./errors.ts";

/** The most characters (Unicode code points) that the texts of requests may have. A service may allow fewer. */
export const lengths = {
  email: 254,
  accountName: 40,
  repositoryName: 100,
  /** Names, words, the texts of one column: an index entry of PostgreSQL holds 2,704 bytes. */
  line: 255,
  title: 1_000,
  /** Branches, tags and what else leads to a commit. */
  ref: 1_024,
  /** Globs and regular expressions. */
  pattern: 1_000,
  address: 2_048,
  secret: 2_048,
  path: 4_096,
  /** Keys, signatures, certificates, lists of patterns. */
  key: 65_536,
  /** Texts that people write: descriptions, comments, messages. */
  content: 1_048_576,
  /** Files in base64. The limit of the whole body is lower in most installations. */
  file: 268_435_456,
} as const;

/** The most items that the lists and maps of requests may have. */
export const counts = {
  few: 100,
  names: 1_000,
  files: 10_000,
} as const;

/** The check of a service for a text that any of its callers may pass. @param field its name in the message; empty where callers have different ones @throws ForgeError `invalid` */
export function checkLength(field: string, text: string, maxLength: number): void {
  if (text.length > maxLength) throw invalid(`[${field}]: at most ${maxLength} characters`);
}
