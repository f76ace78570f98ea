/** An open invitation, as owners of the organization see it. */
export interface InvitationView {
  readonly id: number;
  readonly email: string;
  readonly teamName: string;
  readonly inviterName: string;
  readonly expiresMs: number;
  /** It has not expired, and its sender can still add members. */
  readonly isValid: boolean;
}

/** A valid invitation, as the holder of its link sees it. */
export interface Invitation {
  readonly id: number;
  readonly email: string;
  readonly inviterName: string;
  readonly orgId: number;
  readonly orgName: string;
  readonly teamId: number;
  readonly teamName: string;
}
