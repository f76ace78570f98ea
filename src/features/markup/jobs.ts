import type { RenderContext } from "./context.ts";
import type { Rendered } from "./render.ts";

/** Work that leaves the event loop. */
export type Job =
  | { readonly kind: "markdown"; readonly text: string; readonly context: RenderContext }
  | { readonly kind: "highlight"; readonly code: string; readonly language: string };

/** What a job becomes: for code, HTML, or undefined where the language has no grammar here. */
export type ResultOf<J extends Job> = J extends { kind: "markdown" } ? Rendered : string | undefined;

/** What a worker says: that it can begin, and how a job ended. */
export type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "failed"; readonly message: string };
