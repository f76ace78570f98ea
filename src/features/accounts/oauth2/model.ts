/** An OAuth2 application. */
export interface ApplicationView {
  readonly id: number;
  /** Undefined for applications built into the server. */
  readonly owner: { readonly id: number; readonly name: string } | undefined;
  readonly name: string;
  readonly clientId: string;
  /** Keeps its secret because it runs on a server. Others run on machines of their users. */
  readonly isConfidential: boolean;
  /** A public application that does not ask again after the first consent. */
  readonly skipsConsent: boolean;
  readonly redirectUris: readonly string[];
  readonly createdMs: number;
}

export interface ApplicationInput {
  readonly name: string;
  readonly isConfidential: boolean;
  readonly skipsConsent: boolean;
  readonly redirectUris: readonly string[];
}

/** A user's consent to an application. */
export interface GrantView {
  readonly id: number;
  readonly application: { readonly id: number; readonly name: string; readonly clientId: string };
  readonly scopes: readonly string[];
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** The parameters of an authorization request (RFC 6749, 4.1.1; RFC 7636; OpenID Connect Core, 3.1.2.1); empty where absent. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType: string;
  readonly state: string;
  readonly scope: string;
  readonly nonce: string;
  readonly codeChallenge: string;
  readonly codeChallengeMethod: string;
}

/** The parameters of a token request (RFC 6749, 4.1.3 and 6); empty where absent. */
export interface TokenRequest {
  readonly grantType: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
  readonly refreshToken: string;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: "bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly id_token?: string;
}

/** A user's identity as sent to applications. */
export interface IdentityView {
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly avatar: string;
  readonly website: string;
  readonly language: string;
  readonly updatedMs: number;
  /** Organizations and teams: `acme`, `acme:devs`. */
  readonly groups: readonly string[];
}
