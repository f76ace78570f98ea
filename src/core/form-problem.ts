import type { ForgeError } from "./errors.ts";
import type { Explained, PlainReason } from "./reasons.ts";

/** A validation error of a form that is shown again, with its field if known. */
export interface FormProblem extends Explained {
  /** The field's name; undefined if it concerns the form as a whole. */
  readonly field: string | undefined;
  /** Errors of other fields, which are shown at them. */
  readonly others?: readonly FormProblem[];
}

/** The fields of a form that show the errors with these reasons. */
export type FieldOfReason = Readonly<Partial<Record<PlainReason, string>>>;

/**
 * Converts an error to a form problem. An error names its field in its options, or in brackets at the beginning of its message:
 * `[RepoName]: Required` is about the field that forms call `repo_name`.
 * @param field the field to report if neither `fieldOf` nor the error names one
 */
export function problemOf({ message, reason, options }: ForgeError, field?: string, fieldOf: FieldOfReason = {}): FormProblem {
  const [, name, rule] = /^\[(\w*)\]: (.+)$/s.exec(message) ?? [];
  const chosen = typeof reason === "string" ? fieldOf[reason] : undefined;
  if (rule === undefined) return { field: chosen ?? options.field ?? field, message, reason };
  return { field: chosen ?? (name ? snakeCase(name) : field), message: rule, reason };
}

const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
