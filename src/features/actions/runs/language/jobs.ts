import type { Problem } from "./problem.ts";
import type { EndedJob, JobPlan, PlanContext, RunPlan, Workflow } from "./workflow.ts";

/** Work for a thread of the language. */
export type LanguageJob =
  | { readonly kind: "read"; readonly path: string; readonly text: string }
  | {
      readonly kind: "plan";
      readonly path: string;
      readonly text: string;
      readonly context: PlanContext;
      /** Jobs to decide about, each with the jobs that it needs. */
      readonly jobs: readonly { readonly key: string; readonly needed: readonly EndedJob[] }[];
    }
  | OutputsJob
  | ValuesJob
  | StepsJob;

/** Evaluates the outputs that a called workflow declares, after all of its jobs. */
export interface OutputsJob {
  readonly kind: "outputs";
  readonly path: string;
  readonly text: string;
  readonly context: PlanContext;
  readonly jobs: readonly EndedJob[];
}

/** Evaluates expressions by name: the secrets of a call. One that fails is empty. */
export interface ValuesJob {
  readonly kind: "values";
  readonly values: Readonly<Record<string, string>>;
  readonly contexts: Readonly<Record<string, unknown>>;
}

/** Reads the indexes of the steps that have an id, by id. */
export interface StepsJob {
  readonly kind: "steps";
  /** A job as a runner executes it. */
  readonly text: string;
}

export interface Planned {
  readonly run: RunPlan;
  readonly jobs: readonly JobPlan[];
}

export type LanguageResult<J extends LanguageJob> =
  | { readonly problems: readonly Problem[] }
  | { readonly value: J extends { kind: "read" } ? Workflow : J extends { kind: "plan" } ? Planned : Readonly<Record<string, string>> };
