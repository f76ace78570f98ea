import type { Static, TSchema } from "typebox";
import { type ErrorCode, type ForgeError, isForgeError } from "../core/errors.ts";
import { type FormProblem, problemOf } from "../core/form-problem.ts";
import type { RawReply } from "./answers.ts";
import { decodeBody } from "./decode-body.ts";

/** Leads a browser on after what it posted, to be got anew. */
export const seeOther = (path: string): RawReply => ({ status: 303, headers: { location: path, "cache-control": "no-store" } });

/** The same, to a page that says that it is done. */
export const savedAt = (path: string): RawReply => seeOther(`${path}${path.includes("?") ? "&" : "?"}saved=true`);

/** Refusals that are about what was typed. Others are pages of their own. */
const correctable: readonly ErrorCode[] = ["invalid", "malformed", "conflict", "refused", "stale", "throttled"];

export interface SubmitOptions {
  /** The field that refusals are about unless they name another one. */
  readonly field?: string;
  /** Further refusals that somebody can do something about here: a name in the form that nobody bears. */
  readonly also?: readonly ErrorCode[];
}

/**
 * Does what a form asks for. What was typed is not lost to a refusal: the form comes back with it.
 * @param again shows the form with what was typed and the problem
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
    return { ...(await again(problemOf(error, options.field))), status: 422 };
  }
}

const isCorrectable = (error: unknown, also: readonly ErrorCode[] = []): error is ForgeError =>
  isForgeError(error) && [...correctable, ...also].includes(error.code);

/**
 * Reads what was typed by the rules that programs are held to.
 * @param option the request of the interface whose fields these are
 * @throws ForgeError `invalid`
 */
export const readOption = <S extends TSchema>(option: S, typed: Readonly<Record<string, unknown>>): Static<S> => decodeBody(option, typed, false) as Static<S>;
