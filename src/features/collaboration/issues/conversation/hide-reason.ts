/** Why a comment is hidden, as in GitHub. */
export const hideReasons = ["spam", "abuse", "off_topic", "outdated", "resolved"] as const;

export type HideReason = (typeof hideReasons)[number];

export const isHideReason = (text: string): text is HideReason => hideReasons.some((reason) => reason === text);
