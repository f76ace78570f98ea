import { isForgeError } from "../../src/core/errors.ts";

/** A parser of bytes that users or other servers send. */
export interface FuzzTarget {
  readonly name: string;
  /** Valid inputs, from which others are derived. */
  readonly seeds: readonly Buffer[];
  /** Completes a changed input, for example with the checksum that it needs to be read at all. */
  readonly complete?: (input: Buffer) => Buffer;
  /**
   * Parses an input. Rejects with an error of the domain if the input is invalid; every other error is a defect.
   * @returns a short description of the result. Inputs with new descriptions are kept for further changes
   */
  readonly run: (input: Buffer) => string | Promise<string>;
  /** Errors by which this parser rejects inputs, in addition to ForgeError. */
  readonly rejections?: readonly (new (
    ...args: never[]
  ) => Error)[];
}

/** The result of trying an input. */
export type Outcome = { readonly kind: "read" | "rejected"; readonly signature: string } | { readonly kind: "defect"; readonly error: unknown };

/** Runs a target once. */
export async function tryInput(target: FuzzTarget, input: Buffer): Promise<Outcome> {
  try {
    return { kind: "read", signature: await target.run(input) };
  } catch (error) {
    const isRejection = isForgeError(error) || target.rejections?.some((kind) => error instanceof kind) === true;
    // Numbers and quoted parts of the input would make each message a new one.
    return isRejection ? { kind: "rejected", signature: (error as Error).message.replace(/\d+|["'`].*["'`]/g, "#").slice(0, 80) } : { kind: "defect", error };
  }
}

/** The number of digits of a count: enough to distinguish results, and few enough to keep the number of inputs small. */
export const magnitude = (count: number): number => String(count).length;
