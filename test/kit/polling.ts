/**
 * Options of `expect.poll` for conditions that send no notification, such as the end of a process that is not a child. The timeout only ends a failing
 * test: it is far above what a busy machine needs.
 */
export const polling = { timeout: 30_000, interval: 10 } as const;
