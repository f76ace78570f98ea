/** Actions that emails about issues and pull requests report. */
export type Happening =
  | "created"
  | "approved"
  | "rejected"
  | "reviewed"
  | "commented"
  | "merged"
  | "closed"
  | "reopened"
  | "pushed"
  | "requested"
  | "assigned"
  | "mentioned";

/** The reason why a user receives an email. */
export type Reason = "mention" | "requested" | "assign" | "author" | "assignee" | "comment" | "subscribed" | "watch" | "recipient" | "owner";

/** The actor and the subject of an action. */
export interface IssueSentence {
  readonly actor: string;
  /** `issue #7`. */
  readonly subject: string;
  /** `owner/name`. */
  readonly repository: string;
}

/** A link in an email about an account. */
export interface EmailLink {
  /** Name of the account. */
  readonly name: string;
  /** Root URL of the server. */
  readonly origin: string;
  readonly link: string;
}
