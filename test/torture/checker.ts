import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { goSource } from "../kit/go-program.ts";

/** Checks with Porcupine (github.com/anishathalye/porcupine) that recorded operations have an order in which each could have happened at once. */
export const checker = goSource("checker", join(import.meta.dirname, "checker"));

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
  /** `refused`: the ref had moved. `unknown`: the write can take effect at any time after its call. */
  readonly outcome: "done" | "refused" | "unknown";
  readonly callNs: number;
  readonly endNs: number;
}

/** @returns the refs whose operations have no such order, one line each */
export async function findDisorder(operations: readonly Operation[]): Promise<readonly string[]> {
  const child = spawn(await checker.ensure(), { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(operations));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit") as Promise<[number | null]>]);
  if (code !== 0 && code !== 1) throw new Error(`the checker ended with ${code}`);
  return output.split("\n").filter((line) => line !== "");
}
