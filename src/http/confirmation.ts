import type { Static } from "typebox";
import { invalid } from "../core/errors.ts";
import type { FormProblem } from "../core/form-problem.ts";
import { inPlace, text } from "../wire/schema.ts";
import type { RawReply } from "./answers.ts";
import { submit } from "./form-submit.ts";

/** A form in which users type the name of the resource they are about to delete. */
export const Confirmation = inPlace({ confirmation: text() });

/** A form with one name that was rejected. */
export interface RefusedName {
  readonly typed: string;
  readonly problem: FormProblem;
}

/**
 * Performs an irreversible action after the user has typed the name of the resource.
 * @param again renders the form again with the typed value and the error
 */
export function submitConfirmed(
  { body }: { readonly body: Static<typeof Confirmation> },
  name: string,
  work: () => Promise<RawReply>,
  again: (refused: RefusedName) => Promise<RawReply>,
): Promise<RawReply> {
  const typed = body.confirmation.trim();
  const confirmed = (): Promise<RawReply> => {
    if (typed !== name) throw invalid("the typed name does not match", { reason: "name_mismatch" });
    return work();
  };
  return submit(confirmed, (problem) => again({ typed, problem }), { field: "confirmation" });
}
