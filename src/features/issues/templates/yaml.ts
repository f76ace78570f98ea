/** What a file says that is wrong; its message is for whoever wrote the file. */
export class TemplateProblem extends Error {}

/**
 * Reads YAML that anybody may have written: nothing in it stands for anything else, so it is never larger than its text.
 * The library is loaded by the first who needs it, not by the start.
 * @throws TemplateProblem
 */
export async function readYaml(text: string): Promise<unknown> {
  const { parse } = (await import("yaml")).default;
  try {
    return parse(text, { maxAliasCount: 0, schema: "core", logLevel: "error", prettyErrors: false });
  } catch (error) {
    throw new TemplateProblem(`yaml: ${error instanceof Error ? error.message : "the text cannot be read"}`, { cause: error });
  }
}

export type Mapping = Readonly<Record<string, unknown>>;

export const isMapping = (value: unknown): value is Mapping => typeof value === "object" && value !== null && !Array.isArray(value);

/** @throws TemplateProblem for anything but a mapping */
export function requireMapping(value: unknown, what: string): Mapping {
  if (!isMapping(value)) throw new TemplateProblem(`${what} must be a mapping`);
  return value;
}

/** A text; empty where there is none. @throws TemplateProblem for anything else */
export function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TemplateProblem(`${what} must be a text`);
}

/** Texts, as a list or parted by commas; null where there are none. @throws TemplateProblem for anything else */
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
