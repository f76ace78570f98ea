import { LRUCache } from "lru-cache";
import type { Sealer } from "../../../../core/sealer.ts";
import { countTurns } from "../../../../core/turns.ts";
import type { Reader } from "../../../../db/db.ts";
import { runtimeToken } from "../artifacts/service/runtime-token.ts";
import { identityRequestToken } from "../identity/service/request-token.ts";
import type { LogLine, TaskRow } from "../model.ts";
import { jobToken } from "./job-token.ts";
import { secretsOfTask } from "./task-secrets.ts";

const minMaskedLength = 3;

/** Texts that a log of a task must not contain, longest first, none with a line break. */
export type Masks = (task: TaskRow) => Promise<readonly string[]>;

/** @returns a function that finds the masks of a task: the secrets that it was given, whether or not they still exist, and its tokens */
export function createMasks(deps: { readonly db: Reader; readonly sealer: Sealer }): Masks {
  const kept = new LRUCache<number, readonly string[]>({ max: 500, ttl: 60_000 });
  return async (task) => {
    const known = kept.get(task.id);
    if (known !== undefined) return known;
    const secrets = [...(await secretsOfTask(deps, task)).values()];
    const texts = [...secrets.flatMap((value) => value.split("\n")), ...(await tokensOf(deps.sealer, task))];
    const masks = [...new Set(texts.map((text) => text.trim()).filter((text) => text.length >= minMaskedLength))].sort((a, b) => b.length - a.length);
    kept.set(task.id, masks);
    return masks;
  };
}

const tokensOf = async (sealer: Sealer, task: TaskRow): Promise<readonly string[]> => [
  jobToken(sealer, task.id),
  await runtimeToken(sealer, task),
  await identityRequestToken(sealer, task),
];

/** Replaces masks in a text. Masks contain no line break. */
export async function hideText(text: string, masks: readonly string[]): Promise<string> {
  const [[, hidden] = [0, ""]] = await hideMasks([[0, text]], masks);
  return hidden;
}

/** Lines are searched in groups of this length. */
const groupLength = 64 * 1024;
/** Characters that one mask is searched in while a small object is handled. */
const lengthPerObject = 200;

/** Replaces masks in lines, in turns: a thousand masks and megabytes of lines do not delay other requests. */
export async function hideMasks(lines: readonly LogLine[], masks: readonly string[]): Promise<readonly LogLine[]> {
  const turn = countTurns();
  const shown: LogLine[] = [];
  for (const group of groupsOf(lines)) {
    const joined = group.map(([, text]) => text).join("\n");
    const found: string[] = [];
    for (const mask of masks) {
      if (joined.includes(mask)) found.push(mask);
      await turn(joined.length / lengthPerObject);
    }
    for (const [timeMs, text, ...ticks] of group) {
      shown.push([timeMs, found.reduce((hidden, mask) => hidden.replaceAll(mask, "***"), text), ...ticks]);
      await turn((text.length * found.length) / lengthPerObject);
    }
  }
  return shown;
}

function* groupsOf(lines: readonly LogLine[]): Generator<readonly LogLine[], void, undefined> {
  let group: LogLine[] = [];
  let length = 0;
  for (const line of lines) {
    if (length + line[1].length > groupLength && group.length > 0) {
      yield group;
      group = [];
      length = 0;
    }
    group.push(line);
    length += line[1].length;
  }
  if (group.length > 0) yield group;
}
