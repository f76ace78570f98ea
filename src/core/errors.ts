/**
 * The one list of ways in which a request can fail, in the domain's words.
 * `http/errors.ts` alone turns a code into a status; nothing below `http/` knows a status.
 */
export const errorCodes = {
  /** The input breaks a rule of its field, or refers to something that cannot be used here. */
  invalid: "the input breaks a rule",
  /** The request cannot be understood at all: wrong syntax, a parameter of the wrong kind. */
  malformed: "the request cannot be read",
  unauthenticated: "no credentials, or wrong ones",
  forbidden: "the caller is known and lacks the right",
  /** Missing, or present and not to be shown to this caller: the two are never told apart. */
  not_found: "there is no such thing for this caller",
  /** The operation is known and refused in this state. */
  refused: "the operation is refused in this state",
  conflict: "something of that name or number exists, or has changed meanwhile",
  stale: "a condition that the caller stated does not hold",
  too_large: "the input is larger than this server takes",
  unsupported_media: "the media type is not taken here",
  locked: "the thing is read-only: archived, locked or a mirror",
  throttled: "too many requests of this kind",
  /** The server cannot do it now and nothing was changed; the same call may work later. */
  unavailable: "the server cannot do it now",
} as const;

export type ErrorCode = keyof typeof errorCodes;

export interface ErrorOptions {
  /** Facts that the wire shows beside the message (the `errors` list of a 404). */
  details?: readonly string[];
  /** Variables for the log; never sent. */
  meta?: Readonly<Record<string, unknown>>;
  /** @compat a few refusals carry the literal `null` or the message alone (wire facts 1.5, shapes 3 and 4). */
  body?: "null" | "message";
  /** @compat extra members of the error's JSON (topic names, for instance). */
  fields?: Readonly<Record<string, unknown>>;
  /** Seconds after which a repeat makes sense; for `throttled` and `unavailable`. */
  retryAfter?: number;
  /** For `unauthenticated`: asks the client for credentials (RFC 9110, WWW-Authenticate). */
  challenge?: string;
  cause?: unknown;
}

/** Every error that a caller may see. Anything else that is thrown is a defect and answers 500. */
export class ForgeError extends Error {
  readonly code: ErrorCode;
  readonly options: ErrorOptions;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ForgeError";
    this.code = code;
    this.options = options;
  }
}

type Make = (message: string, options?: ErrorOptions) => ForgeError;
const maker =
  (code: ErrorCode): Make =>
  (message, options) =>
    new ForgeError(code, message, options);

export const invalid = maker("invalid");
export const malformed = maker("malformed");
export const unauthenticated = maker("unauthenticated");
export const forbidden = maker("forbidden");
export const refused = maker("refused");
export const conflict = maker("conflict");
export const stale = maker("stale");
export const tooLarge = maker("too_large");
export const unsupportedMedia = maker("unsupported_media");
export const locked = maker("locked");
export const throttled = maker("throttled");
export const unavailable = maker("unavailable");
/** @param message the wire's label, `not found` unless a client knows another one */
export const notFound = (message = "not found", options?: ErrorOptions): ForgeError => new ForgeError("not_found", message, options);

export const isForgeError = (error: unknown, code?: ErrorCode): error is ForgeError =>
  error instanceof ForgeError && (code === undefined || error.code === code);

/** What asks a git client or a browser for a name and a password (RFC 7617). */
export const basicChallenge = 'Basic realm="Hearth", charset="UTF-8"';
