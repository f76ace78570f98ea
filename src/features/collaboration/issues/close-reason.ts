/** Why an issue was closed; empty: completed, or not closed. */
export type CloseReason = "" | "not_planned" | "duplicate";
