/** Reactions that users can choose; returned by `GET /settings/ui`. */
export const allowedReactions = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;
