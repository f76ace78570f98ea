import type { Static } from "typebox";
import { invalid } from "../core/errors.ts";
import type { FormProblem } from "../core/form-problem.ts";
import { inPlace, text } from "../wire/schema.ts";
import type { RawReply } from "./answers.ts";
import { submit } from "./form-submit.ts";

/** The form in which somebody types the name of what is to end. */
export const Confirmation = inPlace({ confirmation: text() });

/** A form of one name that was refused. */
export interface RefusedName {
  readonly typed: string;
  readonly problem: FormProblem;
}

/**
 * Does what cannot be taken back, for who has typed the name of what it is done to.
 * @param again shows the form with what was typed and the problem
 */
export function submitConfirmed(
  { body }: { readonly body: Static<typeof Confirmation> },
  name: string,
  work: () => Promise<RawReply>,
  again: (refused: RefusedName) => Promise<RawReply>,
): Promise<RawReply> {
  const typed = body.confirmation.trim();
  const confirmed = (): Promise<RawReply> => {
    if (typed !== name) throw invalid("the name that was typed is another one");
    return work();
  };
  return submit(confirmed, (problem) => again({ typed, problem }), { field: "confirmation" });
}
