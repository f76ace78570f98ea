/** Minimum speed of a peer, in either direction. */
export interface Pace {
  /** Average bytes per second required in each window. */
  readonly bytesPerSecond: number;
  readonly windowMs: number;
  /** Maximum time without a byte. */
  readonly idleMs: number;
}

/** Slow lines meet this, and servers that count objects for minutes; a peer that sends a byte now and then does not. */
export const defaultPace: Pace = { bytesPerSecond: 1_024, windowMs: 300_000, idleMs: 60_000 };

export interface Paced {
  /** Destroyed on a timeout; watching ends when it closes. */
  readonly stream: { destroy(error: Error): unknown; once(event: "close", listener: () => void): unknown };
  /** Bytes transferred so far. */
  moved(): number;
  /** True while this side blocks the stream: that time does not count. */
  isOurTurn(): boolean;
  /** The error with which the stream is destroyed. */
  late(): Error;
}

/** Number of checks within the shorter of the two times. */
const looks = 4;

/** Destroys a stream whose peer is silent or too slow. */
export function keepPace({ stream, moved, isOurTurn, late }: Paced, { bytesPerSecond, windowMs, idleMs }: Pace): void {
  const stepMs = Math.max(1, Math.min(idleMs, windowMs) / looks);
  let lastBytes = moved();
  let silentMs = 0;
  let windowBytes = lastBytes;
  let countedMs = 0;
  const startWindow = (bytes: number): void => {
    windowBytes = bytes;
    countedMs = 0;
  };
  const look = (): void => {
    const bytes = moved();
    const isPaused = isOurTurn();
    silentMs = bytes > lastBytes || isPaused ? 0 : silentMs + stepMs;
    lastBytes = bytes;
    if (isPaused) startWindow(bytes);
    else countedMs += stepMs;
    const isWindowOver = countedMs >= windowMs;
    const isSlow = isWindowOver && (bytes - windowBytes) * 1_000 < bytesPerSecond * countedMs;
    if (silentMs >= idleMs || isSlow) stream.destroy(late());
    else if (isWindowOver) startWindow(bytes);
  };
  const timer = setInterval(look, stepMs).unref();
  stream.once("close", () => clearInterval(timer));
}
