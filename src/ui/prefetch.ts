import { createHash } from "node:crypto";

/** Links that a pointer rests on and that lead from tab to tab: browsers that support it load them before the click (Speculation Rules). */
export const prefetchRules = JSON.stringify({
  prefetch: [{ where: { selector_matches: ".tabs a, .site nav a" }, eagerness: "moderate", referrer_policy: "same-origin" }],
});

/** The name contains the digest of the rules, so browsers may cache them forever. */
export const prefetchRulesFile = `prefetch-${createHash("sha256").update(prefetchRules).digest("hex").slice(0, 16)}.json`;
export const prefetchRulesPath = `/assets/${prefetchRulesFile}`;
