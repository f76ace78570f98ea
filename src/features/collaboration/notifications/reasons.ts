/** Why an account is notified of an issue or pull request, most specific first: a subscriber can have several reasons. */
export const reasons = ["mention", "requested", "assign", "author", "assignee", "comment", "subscribed", "watch"] as const;
export type NewsReason = (typeof reasons)[number];

/** A reason of a thread. `recipient`: the repository is transferred to the account. */
export type ThreadReason = NewsReason | "recipient";

/** Reasons that have a setting. */
export const choiceKinds = ["mention", "requested", "assign", "author", "comment", "subscribed", "watch"] as const;
export type ChoiceKind = (typeof choiceKinds)[number];

export const channels = ["both", "web", "email", "none"] as const;
export type Channel = (typeof channels)[number];

/** How an account is notified. */
export type Choices = Readonly<Record<ChoiceKind, Channel>>;

/** The setting that a reason follows. */
export const kindOf = (reason: NewsReason): ChoiceKind => (reason === "assignee" ? "assign" : reason);
