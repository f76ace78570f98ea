/** How fast a peer has to send, or to take what it is sent. */
export interface Pace {
  /** In each window this many bytes have to move for each second of it. */
  readonly bytesPerSecond: number;
  readonly windowMs: number;
  /** The longest time without a byte. */
  readonly idleMs: number;
}

/** Slow lines and servers that count objects for minutes keep it; a peer that sends a byte now and then does not. */
export const defaultPace: Pace = { bytesPerSecond: 1_024, windowMs: 300_000, idleMs: 60_000 };

export interface Paced {
  /** What is destroyed, and ends the watch when it closes. */
  readonly stream: { destroy(error: Error): unknown; once(event: "close", listener: () => void): unknown };
  /** Bytes that have moved so far. */
  moved(): number;
  /** True while this side holds the stream back: that time does not count. */
  isOurTurn(): boolean;
  /** The error that the stream is destroyed with. */
  late(): Error;
}

/** Looks at the stream this many times in the shorter of its two times. */
const looks = 4;

/** Destroys a stream whose peer falls silent or is slower than it has to be. */
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
    const isHeldBack = isOurTurn();
    silentMs = bytes > lastBytes || isHeldBack ? 0 : silentMs + stepMs;
    lastBytes = bytes;
    if (isHeldBack) startWindow(bytes);
    else countedMs += stepMs;
    const isWindowOver = countedMs >= windowMs;
    const isSlow = isWindowOver && (bytes - windowBytes) * 1_000 < bytesPerSecond * countedMs;
    if (silentMs >= idleMs || isSlow) stream.destroy(late());
    else if (isWindowOver) startWindow(bytes);
  };
  const timer = setInterval(look, stepMs).unref();
  stream.once("close", () => clearInterval(timer));
}
