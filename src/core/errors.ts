import type { PlainReason, Reason } from "./reasons.ts";

/**
 * All ways in which a request can fail, in domain terms.
 * Only `http/errors.ts` maps a code to a status; modules below `http/` know no status codes.
 */
export const errorCodes = {
  /** The input violates a rule of its field, or refers to an unusable object. */
  invalid: "the input breaks a rule",
  /** The request cannot be parsed: wrong syntax, or a parameter of the wrong type. */
  malformed: "the request cannot be read",
  unauthenticated: "no credentials, or wrong ones",
  forbidden: "the caller is known and lacks the right",
  /** Missing, or not visible to this caller: the two are indistinguishable. */
  not_found: "there is no such thing for this caller",
  /** The operation exists but is not allowed in this state. */
  refused: "the operation is refused in this state",
  conflict: "something of that name or number exists, or has changed meanwhile",
  stale: "a condition that the caller stated does not hold",
  too_large: "the input is larger than this server takes",
  unsupported_media: "the media type is not taken here",
  locked: "the thing is read-only: archived, locked or a mirror",
  throttled: "too many requests of this kind",
  /** The server cannot do it now and nothing was changed; a retry may succeed. */
  unavailable: "the server cannot do it now",
} as const;

export type ErrorCode = keyof typeof errorCodes;

export interface ErrorOptions {
  /** The text that pages show in place of the message, in the reader's language. */
  reason?: Reason | undefined;
  /** Texts of a form that was refused as a whole. Its error page shows them, so that they are not lost. */
  typed?: readonly string[];
  /** The form field that the error is about, unless the message begins with the field in brackets. */
  field?: string;
  /** Details that the wire shows next to the message (the `errors` list of a 404). */
  details?: readonly string[];
  /** Variables for the log; never sent. */
  meta?: Readonly<Record<string, unknown>>;
  /**
   * @compat Some refusals have the literal `null` (http/server.test.ts) or only the message (users/api.test.ts) as body (wire facts 1.5,
   * shapes 3 and 4).
   */
  body?: "null" | "message";
  /** @compat Extra members of the error's JSON (such as topic names: repos/api/descriptions.test.ts). */
  fields?: Readonly<Record<string, unknown>>;
  /** Seconds after which to retry; for `throttled` and `unavailable`. */
  retryAfter?: number;
  /** For `unauthenticated`: the challenge sent to the client (RFC 9110, WWW-Authenticate). */
  challenge?: string;
  cause?: unknown;
}

/** Reasons of errors without one of their own: their codes say as much as a page can. */
export const usualReasons: Readonly<Partial<Record<ErrorCode, PlainReason>>> = {
  forbidden: "not_permitted",
  not_found: "not_found",
  too_large: "too_large",
  locked: "locked",
  unavailable: "unavailable",
};

/** An error that a caller may see. Any other exception is a bug and returns 500. */
export class ForgeError extends Error {
  readonly code: ErrorCode;
  readonly options: ErrorOptions;
  readonly reason: Reason | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ForgeError";
    this.code = code;
    this.options = options;
    this.reason = options.reason ?? usualReasons[code];
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
/** @param message the wire's label; `not found` unless clients expect another one */
export const notFound = (message = "not found", options?: ErrorOptions): ForgeError => new ForgeError("not_found", message, options);

export const isForgeError = (error: unknown, code?: ErrorCode): error is ForgeError =>
  error instanceof ForgeError && (code === undefined || error.code === code);

/** Makes a git client or browser prompt for a name and a password (RFC 7617). */
export const basicChallenge = 'Basic realm="Hearth", charset="UTF-8"';
