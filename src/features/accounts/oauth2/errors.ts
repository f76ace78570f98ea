import { type ForgeError, isForgeError, malformed } from "../../../core/errors.ts";

/** Codes of RFC 6749 (4.1.2.1, 5.2) and of OpenID Connect Core (3.1.2.6). */
export type OAuthCode =
  | "access_denied"
  | "consent_required"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_request"
  | "login_required"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** The error for a client: a standard code, and a description for its developer. */
export interface Fault {
  readonly error: OAuthCode;
  readonly error_description: string;
}

export const fault = (error: OAuthCode, error_description: string): Fault => ({ error, error_description });

/**
 * An error of the token endpoint: 400 with the fault as its body. @compat Gitea also sends 400 when the client fails to authenticate
 * (oauth2/oauth2.test.ts)
 */
export const oauthError = (error: OAuthCode, description: string, cause?: unknown): ForgeError =>
  malformed(description, { fields: { ...fault(error, description) }, ...(cause !== undefined && { cause }) });

/** The fault of an error; undefined for any other error. */
export const faultOf = (error: unknown): Readonly<Record<string, unknown>> | undefined => (isForgeError(error, "malformed") ? error.options.fields : undefined);
