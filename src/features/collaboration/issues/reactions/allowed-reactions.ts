/** The reactions that people may choose from; `GET /settings/ui` tells of them. */
export const allowedReactions = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;
