/** Makes commits durable in groups. */
export interface GroupCommit {
  /** Call right after a COMMIT. Resolves when a sync that began after this call has succeeded; rejects if it failed. */
  durable(): Promise<void>;
}

interface Group {
  readonly done: Promise<void>;
  settle(sync: Promise<void>): void;
}

/**
 * One sync runs at a time; all callers that arrive meanwhile share the next one. Many writers thus need one sync per group, and a single
 * writer does not wait.
 * A running sync may have begun before the caller's bytes were written, so it is never joined.
 */
export function createGroupCommit(sync: () => Promise<void>): GroupCommit {
  let running = false;
  let waiting: Group | undefined;

  const startNext = (): void => {
    const group = waiting;
    if (running || group === undefined) return;
    running = true;
    waiting = undefined;
    const synced = sync();
    group.settle(synced);
    const ended = (): void => {
      running = false;
      startNext();
    };
    synced.then(ended, ended);
  };

  return {
    durable() {
      waiting ??= createGroup();
      const { done } = waiting;
      startNext();
      return done;
    },
  };
}

function createGroup(): Group {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { done: promise, settle: resolve };
}
