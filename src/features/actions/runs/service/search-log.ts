import { countTurns } from "../../../../core/turns.ts";
import type { Reader } from "../../../../db/db.ts";
import type { LogLine } from "../model.ts";
import { streamLog } from "./logs.ts";

export interface FoundLine {
  /** Its index in the log. */
  readonly row: number;
  readonly line: LogLine;
}

export interface LogSearch {
  readonly query: string;
  readonly found: readonly FoundLine[];
  /** Further lines match. */
  readonly isCut: boolean;
}

const maxFound = 500;
/** Characters that are searched in while a small object is handled. */
const lengthPerObject = 200;

/**
 * Finds the lines of a log that contain a text in any case, in the order of the log. Sequences for colors do not count.
 * @param taskId undefined: there is no log
 * @param query empty: nothing is found
 */
export async function searchLog(db: Reader, taskId: number | undefined, query: string): Promise<LogSearch> {
  if (taskId === undefined || query === "") return { query, found: [], isCut: false };
  const turn = countTurns();
  const wanted = query.toLowerCase();
  const found: FoundLine[] = [];
  let row = 0;
  for await (const lines of streamLog(db, taskId)) {
    for (const line of lines) {
      if (plain(line[1]).toLowerCase().includes(wanted)) {
        if (found.length === maxFound) return { query, found, isCut: true };
        found.push({ row, line });
      }
      row += 1;
      await turn(1 + line[1].length / lengthPerObject);
    }
  }
  return { query, found, isCut: false };
}

const plain = (text: string): string => text.replaceAll(/\x1b\[[0-9;]*[A-Za-z]/g, "");
