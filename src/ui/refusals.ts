import type { Explained, Reason } from "../core/reasons.ts";
import type { SharedTexts } from "./texts/shared.ts";

/**
 * The text of an error for users: that of its reason, or else its message.
 * @param problem an error, or a text of the page that is already in the reader's language
 */
export function sayProblem({ forms }: SharedTexts, problem: Explained | string): string {
  if (typeof problem === "string") return problem;
  return problem.reason === undefined ? problem.message : sayReason(forms.reasons, problem.reason);
}

function sayReason(texts: SharedTexts["forms"]["reasons"], reason: Reason): string {
  if (typeof reason === "string") return texts[reason];
  // TypeScript does not relate a text and the values of the same code.
  return (texts[reason.code] as (values: Reason) => string)(reason);
}
