/** The reason why a user receives an email. */
export type Reason = "mention" | "requested" | "assign" | "author" | "assignee" | "comment" | "subscribed" | "watch" | "recipient" | "owner";

/** A link in an email about an account. */
export interface EmailLink {
  /** Name of the account. */
  readonly name: string;
  /** Root URL of the server. */
  readonly origin: string;
  readonly link: string;
}
