import { unavailable } from "../../../../core/errors.ts";
import type { WorkerPool } from "../../../site/markup/worker-pool.ts";

/** A mistake in a template or configuration file. The message is shown to readers of the repository. */
export class TemplateProblem extends Error {}

/**
 * Parses YAML outside the event loop.
 * @throws TemplateProblem for text that is not valid YAML, or takes too long to parse
 */
export type ReadYaml = (text: string) => Promise<unknown>;

/** @returns a reader that also throws ForgeError `unavailable` while the workers are busy */
export function createYamlReader(workers: Pick<WorkerPool, "run">): ReadYaml {
  return async (text) => {
    const outcome = await workers.run({ kind: "yaml", text });
    if (outcome.kind !== "done") {
      if (outcome.kind === "given up") throw new TemplateProblem("yaml: the file takes too long to parse: make it shorter or simpler");
      throw unavailable("the server is too busy to read the issue templates", { meta: { reason: outcome.reason }, retryAfter: 5 });
    }
    if ("problem" in outcome.value) throw new TemplateProblem(`yaml: ${outcome.value.problem}`);
    return outcome.value.value;
  };
}

export type Mapping = Readonly<Record<string, unknown>>;

export const isMapping = (value: unknown): value is Mapping => typeof value === "object" && value !== null && !Array.isArray(value);

/** @throws TemplateProblem for anything but a mapping */
export function requireMapping(value: unknown, what: string): Mapping {
  if (!isMapping(value)) throw new TemplateProblem(`${what} must be a mapping`);
  return value;
}

/** A string; empty if absent. @throws TemplateProblem for anything else */
export function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TemplateProblem(`${what} must be a string`);
}

/** Strings, as a list or comma-separated; null if absent. @throws TemplateProblem for anything else */
export function textsOf(value: unknown, what: string): readonly string[] | null {
  if (value === undefined || value === null) return null;
  const items = Array.isArray(value)
    ? value.map((item) => textOf(item, what))
    : textOf(value, what)
        .split(",")
        .map((item) => item.trim());
  const given = items.filter((item) => item !== "");
  return given.length === 0 ? null : given;
}
