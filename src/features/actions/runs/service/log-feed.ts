import type { Clock } from "../../../../core/clock.ts";
import { unavailable } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import type { Db } from "../../../../db/db.ts";
import type { LogLine } from "../model.ts";
import { listLogStates } from "../store/tasks.ts";
import { readLog } from "./logs.ts";

/** Lines from a row on, or the end of the log. Neither: nothing happened for a while. */
export type FeedItem =
  | { readonly kind: "lines"; readonly row: number; readonly lines: readonly LogLine[] }
  | { readonly kind: "end" }
  | { readonly kind: "idle" };

/** The logs that pages of this process follow. */
export interface LogFeed {
  /** Yields the lines of a log from a row on as they arrive. @throws ForgeError `unavailable` if too many logs are followed */
  follow(taskId: number, fromRow: number, signal: AbortSignal): AsyncGenerator<FeedItem, void, undefined>;
  close(): void;
}

/** Other processes write logs, too: followed logs are looked up so often, with one statement for all of them. */
const pollMs = 2_000;
/** Connections without data are closed by proxies. */
const idleMs = 15_000;
const maxFollowers = 500;
const partsAtOnce = 20;

interface Follower {
  readonly taskId: number;
  wake: () => void;
}

export function createLogFeed({ db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log }): LogFeed {
  const followers = new Set<Follower>();
  /** Number of lines by task, at the last look. */
  let known = new Map<number, string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const wake = (taskId: number): void => {
    for (const follower of followers) if (follower.taskId === taskId) follower.wake();
  };
  const unlisten = db.listen("actions", (value) => {
    if (typeof value === "object" && value !== null && "taskId" in value && typeof value.taskId === "number") wake(value.taskId);
  });

  const look = async (): Promise<void> => {
    const states = await listLogStates(db, [...new Set([...followers].map(({ taskId }) => taskId))], clock.now());
    const now = new Map(states.map(({ id, logRows, isComplete }) => [id, `${logRows} ${isComplete}`]));
    for (const [id, state] of now) if (known.get(id) !== state) wake(id);
    known = now;
  };
  const poll = (): void => {
    timer = undefined;
    if (followers.size === 0 || isClosed) return;
    timer = setTimeout(() => {
      look()
        .catch((error: unknown) => log.warn({ err: error }, "followed logs could not be looked up; trying again"))
        .finally(poll);
    }, pollMs);
    timer.unref();
  };

  return {
    async *follow(taskId, fromRow, signal) {
      if (followers.size >= maxFollowers) throw unavailable("too many logs are followed; reload the page later");
      let settle: (() => void) | undefined;
      let isWoken = true;
      const follower: Follower = {
        taskId,
        wake: () => {
          isWoken = true;
          settle?.();
        },
      };
      followers.add(follower);
      if (timer === undefined) poll();
      signal.addEventListener("abort", follower.wake);
      try {
        let row = fromRow;
        while (!signal.aborted && !isClosed) {
          isWoken = false;
          const [state] = await listLogStates(db, [taskId], clock.now());
          const { lines, nextRow } = await readLog(db, taskId, row, partsAtOnce);
          if (lines.length > 0) {
            yield { kind: "lines", row, lines };
            row = nextRow;
            continue;
          }
          // The state was read before the lines: all lines of a complete log have been sent.
          if (state === undefined || state.isComplete) {
            yield { kind: "end" };
            return;
          }
          if (isWoken) continue;
          const isIdle = await new Promise<boolean>((resolve) => {
            const patience = setTimeout(() => resolve(true), idleMs);
            settle = () => {
              clearTimeout(patience);
              resolve(false);
            };
          });
          settle = undefined;
          if (isIdle) yield { kind: "idle" };
        }
      } finally {
        followers.delete(follower);
        signal.removeEventListener("abort", follower.wake);
      }
    },
    close() {
      isClosed = true;
      unlisten();
      clearTimeout(timer);
      for (const follower of followers) follower.wake();
    },
  };
}
