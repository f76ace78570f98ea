import { readServedDescription } from "../../tools/served-description.ts";
import { type DescribedAnswers, describedAnswers, type SeenAnswer } from "./described.ts";

let description: Promise<DescribedAnswers> | undefined;

/** Reads the API description, once per process. */
export function loadDescription(): Promise<DescribedAnswers> {
  description ??= readServedDescription().then(describedAnswers);
  return description;
}

/** Any operation can be answered with one of these: the server is overloaded, unavailable or broken. */
const undescribedStatuses: ReadonlySet<number> = new Set([429, 500, 503]);

const base = "/api/v1";

/**
 * Holds an API response against the description.
 * @param answer `path` is below the origin; other paths than those of the API are ignored
 * @throws Error with the differences
 */
export async function checkAnswer(answer: SeenAnswer): Promise<void> {
  const path = answer.path.replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
  if (!path.startsWith(`${base}/`) || undescribedStatuses.has(answer.status)) return;
  const differences = (await loadDescription()).differences({ ...answer, path: path.slice(base.length) });
  if (differences.length > 0) throw new Error(`${answer.method} ${answer.path} is not answered as described:\n${differences.join("\n")}`);
}
