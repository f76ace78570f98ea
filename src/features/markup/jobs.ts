import type { RenderContext } from "./context.ts";
import type { Rendered, TextFormat } from "./render.ts";

/** Work that leaves the event loop. */
export type Job =
  | { readonly kind: "text"; readonly format: TextFormat; readonly text: string; readonly context: RenderContext }
  | { readonly kind: "highlight"; readonly pieces: readonly CodePiece[] };

export interface CodePiece {
  readonly code: string;
  readonly language: string;
}

/** What a job becomes: for each piece of code HTML, or undefined where the language has no grammar here. */
export type ResultOf<J extends Job> = J extends { kind: "text" } ? Rendered : readonly (string | undefined)[];

/** What a worker says: that it can begin, and how a job ended; and the CPU time that it has used until then. */
export type WorkerMessage = { readonly cpuMs: number } & Saying;
export type Saying = { readonly kind: "ready" } | { readonly kind: "done"; readonly result: unknown } | { readonly kind: "failed"; readonly message: string };

export const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;
