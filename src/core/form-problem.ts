import type { ForgeError } from "./errors.ts";

/** A validation error of a form that is shown again, with its field if known. */
export interface FormProblem {
  /** The field's name; undefined if it concerns the form as a whole. */
  readonly field: string | undefined;
  /** The error's message, or the rule that the field violates. */
  readonly message: string;
}

/**
 * Converts an error to a form problem. Field errors begin with the field's name in brackets, `[RepoName]: Required`, which forms call
 * `repo_name`.
 * @param field the field to report if the message names none
 */
export function problemOf({ message }: ForgeError, field?: string): FormProblem {
  const [, name, rule] = /^\[(\w*)\]: (.+)$/s.exec(message) ?? [];
  if (rule === undefined) return { field, message };
  return { field: name ? snakeCase(name) : field, message: rule };
}

const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
