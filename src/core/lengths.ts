import { invalid } from "./errors.ts";

/** Maximum lengths of strings in requests, in characters (Unicode code points). A service may allow fewer. */
export const lengths = {
  email: 254,
  accountName: 40,
  repositoryName: 100,
  /** Names and other single-column strings: an index entry of PostgreSQL holds 2,704 bytes. */
  line: 255,
  title: 1_000,
  /** Branches, tags and other revisions. */
  ref: 1_024,
  /** Globs and regular expressions. */
  pattern: 1_000,
  address: 2_048,
  secret: 2_048,
  path: 4_096,
  /** Keys, signatures, certificates, lists of patterns. */
  key: 65_536,
  /** Prose: descriptions, comments, messages. */
  content: 1_048_576,
  /** Base64 files. The limit of the whole body is lower in most installations. */
  file: 268_435_456,
} as const;

/** Maximum number of items in lists and maps of requests. */
export const counts = {
  few: 100,
  names: 1_000,
  files: 10_000,
} as const;

/**
 * Checks the length of a string in a service. @param field its name in the message; empty if callers have different names for it
 * @throws ForgeError `invalid`
 */
export function checkLength(field: string, text: string, maxLength: number): void {
  if (text.length > maxLength) throw invalid(`[${field}]: at most ${maxLength} characters`);
}
