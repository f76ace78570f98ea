/** Counts of the issues of labels end here, so that a page of labels never reads many issues. */
export const maxCounted = 1_000;
