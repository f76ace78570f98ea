import type { RenderContext } from "./context.ts";
import type { TextFormat } from "./file-kinds.ts";
import type { Rendered } from "./render.ts";

/** Work for a worker thread. */
export type Job =
  | { readonly kind: "text"; readonly format: TextFormat; readonly text: string; readonly context: RenderContext }
  | { readonly kind: "highlight"; readonly pieces: readonly CodePiece[] }
  | { readonly kind: "formulas"; readonly formulas: readonly Formula[] }
  | { readonly kind: "table"; readonly text: string; readonly isTabbed: boolean }
  | { readonly kind: "yaml"; readonly text: string };

export interface CodePiece {
  readonly code: string;
  readonly language: string;
}

/** A formula in TeX. A display formula is centred on lines of its own. */
export interface Formula {
  readonly source: string;
  readonly isDisplay: boolean;
}

/** MathML, or the reason why the formula is shown as source. */
export type FormulaResult = { readonly html: string } | { readonly problem: string };

/** A parsed YAML document, or the reason why the text is not valid YAML. */
export type YamlResult = { readonly value: unknown } | { readonly problem: string };

/** The result of a `highlight` job: HTML for each piece of code, or undefined for a language without a grammar. */
export type ResultOf<J extends Job> = J extends { kind: "text" | "table" }
  ? Rendered
  : J extends { kind: "yaml" }
    ? YamlResult
    : J extends { kind: "formulas" }
      ? readonly FormulaResult[]
      : readonly (string | undefined)[];

/** A worker's message: it is ready, or the result of a job; with the CPU time used so far. */
export type WorkerMessage = { readonly cpuMs: number } & MessageBody;
export type MessageBody =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "failed"; readonly message: string };

export const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;
