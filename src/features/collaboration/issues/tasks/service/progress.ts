import type { Reader } from "../../../../../db/db.ts";
import type { IssueRow } from "../../model.ts";
import { listStates } from "../store.ts";

/** Done and all task items of an issue's text. */
export interface TaskCount {
  readonly done: number;
  readonly total: number;
}

/** The task items of issues by their id. Issues without any have no entry. */
export type TaskProgress = ReadonlyMap<number, TaskCount>;

interface Item {
  readonly isTicked: boolean;
  /** The issue that the item consists of. */
  readonly number: number | undefined;
}

/** Further references of a page count by their own mark. */
const maxNumbers = 300;

const itemsOf = (text: string): readonly Item[] =>
  [...text.matchAll(/^\s*(?:[-*+]|\d{1,9}[.)]) \[([ xX])\] (?:[#!]([1-9]\d{0,14})[ \t]*\r?$)?/gm)].map(([, mark, number]) => ({
    isTicked: mark !== " ",
    number: number === undefined ? undefined : Number(number),
  }));

/**
 * Counts the task items of issues. An item that is only a reference to an issue of the same repository is done if that issue is closed. The
 * count reveals no more than the list of the repository. At most one statement.
 */
export async function loadTaskProgress(db: Reader, issues: readonly Pick<IssueRow, "id" | "repoId" | "content">[]): Promise<TaskProgress> {
  const lists = issues.flatMap(({ id, repoId, content }) => {
    const items = itemsOf(content);
    return items.length === 0 ? [] : { id, repoId, items };
  });
  const referring = lists.filter(({ items }) => items.some(({ number }) => number !== undefined));
  const numbers = [...new Set(referring.flatMap(({ items }) => items.flatMap(({ number }) => number ?? [])))].slice(0, maxNumbers);
  const states = await listStates(db, [...new Set(referring.map(({ repoId }) => repoId))], numbers);
  const isClosed = new Map(states.map((state) => [`${state.repoId}#${state.number}`, state.isClosed]));
  return new Map(
    lists.map(({ id, repoId, items }) => [
      id,
      { done: items.filter(({ isTicked, number }) => isClosed.get(`${repoId}#${number}`) ?? isTicked).length, total: items.length },
    ]),
  );
}
