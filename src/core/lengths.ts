import { invalid } from "./errors.ts";

/** Maximum lengths of strings, in characters (Unicode code points): the only source for requests, inputs of pages and services. */
export const lengths = {
  email: 254,
  accountName: 40,
  repositoryName: 100,
  /** Names and other single-column strings: an index entry of PostgreSQL holds 2,704 bytes. */
  line: 255,
  fullName: 100,
  location: 50,
  license: 100,
  password: 255,
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
  repositoryDescription: 2_048,
  repositoryWebsite: 1_024,
  labelDescription: 10_000,
  statusDescription: 1_024,
  milestoneDescription: 65_535,
  /** Texts of issues and pull requests, and their comments. */
  comment: 524_288,
  releaseNote: 1_000_000,
  /** Other prose: wiki pages, messages. */
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

/** Whether a text has more characters (Unicode code points). Counts them only if their number is in doubt. */
export const isLongerThan = (text: string, maxLength: number): boolean =>
  text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength);

/**
 * Checks the length of a string in a service. @param field its name in the message; empty if callers have different names for it
 * @throws ForgeError `invalid`
 */
export function checkLength(field: string, text: string, maxLength: number): void {
  if (isLongerThan(text, maxLength)) throw invalid(`[${field}]: at most ${maxLength} characters`, { reason: { code: "too_long", max: maxLength } });
}

/** Fields of pages whose texts are neither names nor addresses, by the limit that they have. */
const fieldsByLimit: Readonly<Partial<Record<keyof typeof lengths, readonly string[]>>> = {
  content: ["details", "filled_message", "kept", "message", "note", "tag_message"],
  comment: ["answers", "comment", "content"],
  key: ["armored_public_key", "armored_signature", "assignees", "key", "names", "redirect_to", "redirect_uris", "repositories", "reviewers", "topics"],
  title: ["filled_title", "summary", "title"],
  secret: ["authorization_header", "secret"],
  address: ["gitignores"],
  line: [
    "action",
    "code",
    "color",
    "description",
    "id",
    "kind",
    "language",
    "mode",
    "name",
    "name_pattern",
    "passcode",
    "reason",
    "rule_name",
    "side",
    "style",
    "type",
    "website",
  ],
  email: ["email"],
  fullName: ["full_name"],
  location: ["location"],
  license: ["license"],
  password: ["retype"],
};

const fieldLimits = new Map(
  Object.entries(fieldsByLimit).flatMap(([limit, names]) => names.map((name) => [name, lengths[limit as keyof typeof lengths]] as const)),
);

/** The most characters that a field of a page takes by its name: the same for its input and for the request. Forms declare other limits at both. */
export const fieldLength = (name: string): number =>
  fieldLimits.get(name) ?? (/_(usernames?|teams|contexts|patterns)$/.test(name) ? lengths.key : lengths.path);
