/** Makes commits durable in groups. */
export interface GroupCommit {
  /** Called right after a COMMIT. Resolves when a sync that began after this call has ended well; rejects when it failed. */
  durable(): Promise<void>;
}

interface Group {
  readonly done: Promise<void>;
  settle(sync: Promise<void>): void;
}

/**
 * One sync runs at a time; all who ask while it runs share the next one. So with many writers the disk is asked once a group,
 * and with one writer at once.
 * A sync that is under way may have begun before the caller's bytes were written: it is never joined.
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
