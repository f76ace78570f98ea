import type { LogShippingView } from "../model.ts";

/** Shorter delays are made up for soon. */
const tolerableMs = 60_000;

export const isBehind = ({ lagMs, failure }: Pick<LogShippingView, "lagMs" | "failure">): boolean => lagMs > tolerableMs || failure !== undefined;
