import { randomBytes } from "node:crypto";

/**
 * Serializes JSON in which some objects occur many times, such as the repository of each pull request in a list: each is serialized once,
 * and the result equals that of `JSON.stringify`. Other serializers treat such objects like any other.
 */

/** Placeholder for an object while its parent is serialized. It is random and secret, so external input cannot contain it. */
const marker = randomBytes(16).toString("hex");
const written = `"${marker}"`;

/** Serialized objects by their placeholders; undefined while no serialization is running. */
let collected: string[] | undefined;

/** Marks an object to be serialized once per response. It must not change afterwards. @returns the same object */
export function writtenOnce<T extends object>(value: T): T {
  let text: string | undefined;
  const toJSON = (): unknown => {
    if (collected === undefined) return value;
    text ??= alone(value);
    collected.push(text);
    return marker;
  };
  return Object.defineProperty(value, "toJSON", { value: toJSON });
}

function alone(value: object): string {
  const outer = collected;
  collected = undefined;
  try {
    return JSON.stringify(value);
  } finally {
    collected = outer;
  }
}

/** Returns the same string as `JSON.stringify`, faster if objects are marked by {@link writtenOnce}. */
export function writeJson(value: unknown): string {
  const texts: string[] = [];
  collected = texts;
  let text: string;
  try {
    text = JSON.stringify(value);
  } finally {
    collected = undefined;
  }
  if (texts.length === 0) return text;
  const between = text.split(written);
  return between.map((piece, at) => piece + (texts[at] ?? "")).join("");
}
