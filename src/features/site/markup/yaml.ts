import type { YamlResult } from "./jobs.ts";

/**
 * Parses untrusted YAML (core schema). Aliases are rejected, so the value is never larger than its text.
 * The parser needs quadratic time for some inputs: call this on a worker thread only.
 */
export async function parseYaml(text: string): Promise<YamlResult> {
  const { parse } = (await import("yaml")).default;
  try {
    return { value: parse(text, { maxAliasCount: 0, schema: "core", logLevel: "error", prettyErrors: false }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "the text is not valid YAML" };
  }
}
