/**
 * Work that follows each other where it has the same key. Writers of one branch would otherwise make objects against the same tip, of which
 * all but one are for nothing; that no change is lost is held by compare-and-set, with or without turns.
 */
export interface KeyedMutex {
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take<T>(key: string, work: () => Promise<T>): Promise<T> {
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
