/** Where a sign-in comes from, as its browser and its connection tell. */
export interface SessionDetails {
  readonly address: string;
  readonly userAgent: string;
}

/** `open`, or what has to be done before the session opens anything. */
export type SessionStage = "open" | "second-factor" | "new-password";

/** A session as it begins. The secret is known to its browser alone from then on. */
export interface StartedSession {
  readonly secret: string;
  readonly stage: SessionStage;
  readonly maxAgeSeconds: number;
}

export interface SessionView extends SessionDetails {
  readonly id: number;
  readonly createdMs: number;
  /** True to some minutes. */
  readonly seenMs: number;
  /** When it ends however much it is used. */
  readonly expiresMs: number;
}
