/** The object directories of running processes. */
export interface Workplaces {
  /** @returns a function to be called when the process has ended */
  enter(directory: string): () => void;
  /** Whether a process works below a directory. */
  isUsed(directory: string): boolean;
}

/** @param counters counts the running processes */
export function createWorkplaces(counters: { running: number }): Workplaces {
  const counts = new Map<string, number>();
  const change = (directory: string, by: 1 | -1): void => {
    const count = (counts.get(directory) ?? 0) + by;
    counters.running += by;
    if (count === 0) counts.delete(directory);
    else counts.set(directory, count);
  };
  return {
    enter(directory) {
      change(directory, 1);
      return () => change(directory, -1);
    },
    isUsed: (directory) => [...counts.keys()].some((path) => path.startsWith(`${directory}/`)),
  };
}
