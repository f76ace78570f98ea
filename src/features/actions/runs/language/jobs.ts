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
    };

export interface Planned {
  readonly run: RunPlan;
  readonly jobs: readonly JobPlan[];
}

export type LanguageResult<J extends LanguageJob> =
  | { readonly problems: readonly Problem[] }
  | { readonly value: J extends { kind: "read" } ? Workflow : Planned };
