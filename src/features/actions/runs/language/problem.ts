/** A mistake in a workflow file, with its place in the file where that is known. */
export interface Problem {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** A workflow that cannot be planned. Thrown inside the worker only. */
export class WorkflowError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    super(problems[0]?.message ?? "invalid workflow", options);
    this.problems = problems;
  }
}

export const failWith = (message: string): never => {
  throw new WorkflowError([{ message }]);
};
