import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { goProgram } from "../kit/go-program.ts";

/** Checks with Porcupine (github.com/anishathalye/porcupine) that recorded operations have an order in which each could have happened at once. */
export const checker = goProgram("checker", join(import.meta.dirname, "checker"));

/** An operation on a ref, with times of one monotonic clock. */
export interface Operation {
  readonly client: number;
  readonly ref: string;
  /** `first`: the state before the others. */
  readonly kind: "first" | "read" | "write";
  /** The object that a write expects. */
  readonly from: string;
  /** The object that a write sets or a read has found. */
  readonly to: string;
  /** `refused`: the ref had moved. `unknown`: the write can take effect at any time after its call. Its object is in no other write. */
  readonly outcome: "done" | "refused" | "unknown";
  readonly callNs: number;
  readonly endNs: number;
}

/**
 * Decides the writes of unknown outcome, of which there can be too many for the checker to try all combinations. Each sets an object of its
 * own: it took effect if a read or a later write found this object, before that one ended, and otherwise never, because the last
 * operations of each ref are reads.
 */
function decideUnknown(operations: readonly Operation[]): readonly Operation[] {
  const foundNs = new Map<string, number>();
  for (const { ref, kind, from, to, outcome, endNs } of operations) {
    if (kind === "first" || outcome === "unknown") continue;
    const key = `${ref} ${kind === "read" ? to : outcome === "done" ? from : ""}`;
    foundNs.set(key, Math.min(foundNs.get(key) ?? endNs, endNs));
  }
  // One that was found by a write of unknown outcome only counts if that one took effect.
  for (let isComplete = false; !isComplete; ) {
    isComplete = true;
    for (const { ref, from, to, outcome } of operations) {
      const endNs = foundNs.get(`${ref} ${to}`);
      if (outcome !== "unknown" || endNs === undefined || endNs >= (foundNs.get(`${ref} ${from}`) ?? Number.POSITIVE_INFINITY)) continue;
      foundNs.set(`${ref} ${from}`, endNs);
      isComplete = false;
    }
  }
  return operations.flatMap((operation) => {
    if (operation.outcome !== "unknown") return [operation];
    const endNs = foundNs.get(`${operation.ref} ${operation.to}`);
    return endNs === undefined ? [] : [{ ...operation, outcome: "done", endNs } satisfies Operation];
  });
}

/** @returns the refs whose operations have no such order, one line each */
export async function findDisorder(operations: readonly Operation[]): Promise<readonly string[]> {
  const child = spawn(await checker.ensure(), { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(decideUnknown(operations)));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit") as Promise<[number | null]>]);
  if (code !== 0 && code !== 1) throw new Error(`the checker ended with ${code}`);
  return output.split("\n").filter((line) => line !== "");
}
