import { randomBytes } from "node:crypto";

/**
 * Writing JSON in which some objects stand many times, such as the repository of each pull request of a list: their text is made once for all
 * places, and the whole is the very text that `JSON.stringify` gives. Everywhere else such objects are like any other.
 */

/** Stands for an object while its surroundings are written. Nobody outside knows it, so no text that comes from outside can be it. */
const marker = randomBytes(16).toString("hex");
const written = `"${marker}"`;

/** The texts that belong to the markers of what is being written; undefined where nobody collects them. */
let collected: string[] | undefined;

/** Lets an object's text be made once for all places of an answer. It must not change any more. @returns the same object */
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

/** The text that `JSON.stringify` gives, in less time where objects of it are {@link writtenOnce}. */
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
