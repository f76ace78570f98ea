/** Counts the turns of the event loop while an asynchronous function runs. */
export async function countTurnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  try {
    await work();
    return turns;
  } finally {
    clearImmediate(next);
  }
}
