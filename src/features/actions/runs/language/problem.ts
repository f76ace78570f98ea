import { type Mistake, type MistakeKind, mistakeMessages } from "../../../../core/workflow-mistakes.ts";

/** A mistake in a workflow file, with its place in the file where that is known, and with its kind and values, from which pages make a text. */
export type Problem = Mistake;

/** A workflow that cannot be planned. Thrown inside the worker only. */
export class WorkflowError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    super(problems[0]?.message ?? "invalid workflow", options);
    this.problems = problems;
  }
}

type Values = Readonly<Record<string, string | number>>;

const maxValueLength = 200;
/** The length of a value in a text is limited. */
export const shorten = (text: string): string => (text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text);

/** A mistake that this server finds. Its message is the English text. */
export function mistake(kind: MistakeKind, values: Values = {}): Problem {
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shorten(String(value))]));
  return { message: mistakeMessages[kind].replaceAll(/\{(\w+)\}/g, (_, name: string) => texts[name] ?? ""), kind, values: texts };
}

/** Adds the field or the file around a mistake. */
export const within = (part: string, problem: Problem): Problem => ({
  ...problem,
  message: `${part}: ${problem.message}`,
  within: [part, ...(problem.within ?? [])],
});

export const failWith = (kind: MistakeKind, values: Values = {}): never => {
  throw new WorkflowError([mistake(kind, values)]);
};
