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
  if (text.length > maxLength) throw invalid(`[${field}]: at most ${maxLength} characters`, { reason: { code: "too_long", max: maxLength } });
}

/** Fields of pages whose texts are neither names nor addresses, by the limit that they have. */
const fieldsByLimit: Readonly<Partial<Record<keyof typeof lengths, readonly string[]>>> = {
  content: ["answers", "comment", "content", "description", "details", "kept", "message", "note", "tag_message"],
  key: ["armored_public_key", "armored_signature", "assignees", "key", "names", "redirect_to", "redirect_uris", "repositories", "reviewers", "topics"],
  title: ["summary", "title"],
  line: ["action", "code", "color", "email", "full_name", "id", "kind", "language", "location", "mode", "name", "passcode", "reason", "side", "style", "type"],
};

const fieldLimits = new Map(
  Object.entries(fieldsByLimit).flatMap(([limit, names]) => names.map((name) => [name, lengths[limit as keyof typeof lengths]] as const)),
);

/** The most characters that a field of a page takes: the same for its input and for the request. A service may allow fewer. */
export const fieldLength = (name: string): number =>
  fieldLimits.get(name) ?? (/_(usernames?|teams|contexts|patterns)$/.test(name) ? lengths.key : lengths.path);
