import type { Static, TSchema } from "typebox";
import type { Confirmation } from "../core/confirmations.ts";
import { type ErrorCode, type ForgeError, isForgeError } from "../core/errors.ts";
import { type FieldOfReason, type FormProblem, problemOf } from "../core/form-problem.ts";
import type { RawReply } from "./answers.ts";
import { decodeBody } from "./decode-body.ts";

/** Redirects a browser after a POST, so that it loads the target with GET. */
export const seeOther = (path: string): RawReply => ({ status: 303, headers: { location: path, "cache-control": "no-store" } });

/** Like `seeOther`, to a page that confirms the change. */
export const savedAt = (path: string, confirmation: Confirmation = "saved"): RawReply =>
  seeOther(`${path}${path.includes("?") ? "&" : "?"}saved=${confirmation === "saved" ? "true" : confirmation}`);

/** Errors that are about the input and are shown in the form. Other errors get their own page. */
const correctable: readonly ErrorCode[] = ["invalid", "malformed", "conflict", "refused", "stale", "throttled"];

export interface SubmitOptions {
  /** Field that shows errors that do not name a field. */
  readonly field?: string;
  /** Fields that show the errors with these reasons, whatever field an error names. */
  readonly fieldOf?: FieldOfReason;
  /** Checks of fields that a page does not keep, such as passwords, by field. A rejected form shows the errors of all of them. */
  readonly checks?: Readonly<Record<string, () => unknown>>;
  /** Additional error codes that the user can fix in this form, such as an unknown user name. */
  readonly also?: readonly ErrorCode[];
}

/**
 * Performs the action of a form. If it is rejected, the form is shown again with the input.
 * @param again renders the form with the input and the error
 */
export async function submit(
  work: () => Promise<RawReply>,
  again: (problem: FormProblem) => Promise<RawReply>,
  options: SubmitOptions = {},
): Promise<RawReply> {
  try {
    return await work();
  } catch (error) {
    if (!isCorrectable(error, options.also)) throw error;
    const problem = problemOf(error, options.field, options.fieldOf);
    const others = failuresOf(options).filter(({ field }) => field !== problem.field);
    return { ...(await again(others.length === 0 ? problem : { ...problem, others })), status: 422 };
  }
}

/** The errors of the checks of a form, each with its field. */
function failuresOf({ checks = {} }: SubmitOptions): FormProblem[] {
  return Object.entries(checks).flatMap(([field, check]) => {
    try {
      check();
      return [];
    } catch (error) {
      if (!isCorrectable(error)) throw error;
      return { ...problemOf(error), field };
    }
  });
}

const isCorrectable = (error: unknown, also: readonly ErrorCode[] = []): error is ForgeError =>
  isForgeError(error) && [...correctable, ...also].includes(error.code);

/** Validates form input with the rules of the API. @param option the API request type whose fields these are @throws ForgeError `invalid` */
export const readOption = <S extends TSchema>(option: S, typed: Readonly<Record<string, unknown>>): Static<S> => decodeBody(option, typed, false) as Static<S>;
