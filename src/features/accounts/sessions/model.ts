/** The origin of a sign-in: browser and connection. */
export interface SessionDetails {
  readonly address: string;
  readonly userAgent: string;
}

/** `open`, or the step that remains before the session grants access. */
export type SessionStage = "open" | "second-factor" | "new-password";

/** A new session. Only its browser knows the secret from then on. */
export interface StartedSession {
  readonly secret: string;
  readonly stage: SessionStage;
  readonly maxAgeSeconds: number;
}

export interface SessionView extends SessionDetails {
  readonly id: number;
  readonly createdMs: number;
  /** Accurate to a few minutes. */
  readonly seenMs: number;
  /** The absolute expiry, regardless of use. */
  readonly expiresMs: number;
}
