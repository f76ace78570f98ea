/** What letters tell of issues and pull requests. */
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

/** Why somebody gets a letter. */
export type Reason = "mention" | "requested" | "assign" | "author" | "assignee" | "comment" | "subscribed" | "watch" | "recipient" | "owner";

/** Who did something to what. */
export interface IssueSentence {
  readonly actor: string;
  /** `issue #7`. */
  readonly subject: string;
  /** `owner/name`. */
  readonly repository: string;
}

/** A link in a letter about an account. */
export interface EmailLink {
  /** Of the account. */
  readonly name: string;
  /** Of the server. */
  readonly origin: string;
  readonly link: string;
}
