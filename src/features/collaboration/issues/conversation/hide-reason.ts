/** Why a comment is hidden, as in GitHub. */
export const hideReasons = ["spam", "abuse", "off_topic", "outdated", "resolved"] as const;

export type HideReason = (typeof hideReasons)[number];
