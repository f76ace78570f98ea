/**
 * Serializes work per key. Concurrent writers of one branch would otherwise all create objects against the same tip, and all but one
 * would be discarded. Compare-and-set prevents lost updates, with or without this mutex.
 */
export interface KeyedMutex {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const mine = (last.get(key) ?? Promise.resolve()).then(work);
      const settled = mine.catch(() => {});
      last.set(key, settled);
      try {
        return await mine;
      } finally {
        if (last.get(key) === settled) last.delete(key);
      }
    },
  };
}
