import type { ForgeError } from "./errors.ts";

/** Why a form is shown again: what was wrong, and in which field, as far as that is known. */
export interface FormProblem {
  /** The field's name; undefined where it is about the form as a whole. */
  readonly field: string | undefined;
  /** The refusal's words, or the rule that the field breaks. */
  readonly message: string;
}

/**
 * A refusal as a problem of a form. Refusals of fields begin with the field's name in brackets, `[RepoName]: Required`, and forms call it `repo_name`.
 * @param field whom it is about where the refusal does not tell
 */
export function problemOf({ message }: ForgeError, field?: string): FormProblem {
  const [, name, rule] = /^\[(\w*)\]: (.+)$/s.exec(message) ?? [];
  if (rule === undefined) return { field, message };
  return { field: name ? snakeCase(name) : field, message: rule };
}

const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
