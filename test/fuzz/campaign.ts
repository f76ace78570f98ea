import { createHash } from "node:crypto";
import { seededRandom } from "../kit/random.ts";
import { mutate } from "./mutate.ts";
import { type FuzzTarget, tryInput } from "./target.ts";

/** An input that a target does not handle. */
export interface Defect {
  readonly input: Buffer;
  readonly error: unknown;
}

export interface CampaignOptions {
  readonly seed: number;
  /** Called before each execution with its input: it is known even if the process does not survive it. */
  readonly onInput?: (input: Buffer) => void;
}

/** Runs a target with seeded inputs: the same in every run with this seed. */
export interface Campaign {
  /** Runs the target once. @returns a defect, if one was found */
  step(): Promise<Defect | undefined>;
  /** Number of inputs from which others are derived. */
  readonly kept: () => number;
}

const maxKept = 500;

export function createCampaign(target: FuzzTarget, { seed, onInput }: CampaignOptions): Campaign {
  const random = seededRandom(seed ^ createHash("sha256").update(target.name).digest().readInt32BE());
  const pool = [...target.seeds];
  const signatures = new Set<string>();
  let executions = 0;
  return {
    kept: () => pool.length,
    async step() {
      const first = target.seeds[executions];
      executions += 1;
      const changed = first ?? mutate(pool[random(pool.length)] ?? Buffer.alloc(0), pool, random);
      const input = target.complete?.(changed) ?? changed;
      onInput?.(input);
      const outcome = await tryInput(target, input);
      if (outcome.kind === "defect") return { input, error: outcome.error };
      const signature = `${outcome.kind} ${outcome.signature}`;
      if (!signatures.has(signature) && pool.length < maxKept) {
        signatures.add(signature);
        if (first === undefined) pool.push(changed);
      }
      return undefined;
    },
  };
}

/** The name of a saved input. */
export const inputName = (input: Buffer): string => createHash("sha256").update(input).digest("hex").slice(0, 16);

/** The input of a worker: the target, the seed, and memory in which the worker leaves each input before it is tried. */
export interface WorkerOrder {
  readonly name: string;
  readonly seed: number;
  readonly memory: SharedArrayBuffer;
}

/** The number of executions, and the length of the current input, before the input itself. */
export const headerBytes = 8;
