import { type ErrorCode, ForgeError } from "../core/errors.ts";
import type { Reason } from "../core/reasons.ts";

/** The only mapping of errors to statuses. */
const statuses: Readonly<Record<ErrorCode, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  refused: 405,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported_media: 415,
  invalid: 422,
  locked: 423,
  throttled: 429,
  unavailable: 503,
};

export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The text that an error page shows in place of the body. */
  readonly reason?: Reason | undefined;
  /** Texts that an error page shows, so that they are not lost. */
  readonly typed?: readonly string[] | undefined;
}

/** JSON in Gitea's form: HTML special characters escaped, with a trailing newline. */
export const errorJson = (value: unknown): string =>
  `${JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;

/**
 * The error response of `/api/v1`.
 * @param helpUrl the `url` member: the address of the API documentation
 * @param detail details of an internal error, for administrators only
 */
export function apiError(error: unknown, helpUrl: string, detail?: string): ErrorReply {
  if (!(error instanceof ForgeError)) {
    return { status: 500, headers: {}, body: errorJson({ message: detail ?? "", url: helpUrl }) };
  }
  const { code, message, options } = error;
  const status = statuses[code];
  const headers = optionalHeaders(error);
  if (options.body === "null") return { status, headers, body: "null\n" };
  if (options.fields !== undefined) return { status, headers, body: errorJson(options.fields) };
  if (options.body === "message") return { status, headers, body: errorJson({ message }) };
  if (code === "not_found") return { status, headers, body: errorJson({ errors: options.details ?? null, message, url: helpUrl }) };
  return { status, headers, body: errorJson({ message, url: helpUrl }) };
}

function optionalHeaders({ options }: ForgeError): Record<string, string> {
  return {
    ...(options.retryAfter !== undefined && { "retry-after": String(options.retryAfter) }),
    ...(options.challenge !== undefined && { "www-authenticate": options.challenge }),
  };
}

/** Error response outside the API: plain text. */
export function textError(error: unknown): ErrorReply {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  if (!(error instanceof ForgeError)) return { status: 500, headers, body: "Internal server error.\n" };
  const text = error.code === "not_found" && error.message === "not found" ? "Not found." : error.message;
  return {
    status: statuses[error.code],
    headers: { ...headers, ...optionalHeaders(error) },
    body: `${text}\n`,
    reason: error.reason,
    typed: error.options.typed,
  };
}
