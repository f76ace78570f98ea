import { randomInt } from "node:crypto";

/**
 * This process as one of those that serve a database. The database knows which processes are running, so that the work of an ended process
 * can be taken over immediately, and that of a running one cannot.
 */
export interface Presence {
  /** Identifies this process in rows that it owns, while {@link isHeld}. Changes when the presence is lost and regained. */
  id(): number;
  /** False while other processes cannot see this one. They may take over rows under its id then. */
  isHeld(): boolean;
  /** Calls `listener` each time the presence is lost or regained. @returns a function that unsubscribes */
  onChange(listener: (isHeld: boolean) => void): () => void;
  /** Regains a lost presence under a new id. @throws ForgeError `unavailable` */
  hold(): Promise<void>;
  /** The ids of all processes that are running, with this one. @throws ForgeError `unavailable` */
  listRunning(): Promise<ReadonlySet<number>>;
  /** Sends a text of at most 8,000 bytes to the other processes. It is lost while the presence is. */
  notifyOthers(text: string): void;
  /** Gives up the presence. */
  close(): Promise<void>;
}

/** A random id of 31 bits, since a key of an advisory lock is a signed 32-bit integer. */
export const newPresenceId = (): number => randomInt(1, 2 ** 31);

/** For a database served by one process: all others have ended. */
export function singleServerPresence(): Presence {
  const own = newPresenceId();
  return {
    id: () => own,
    isHeld: () => true,
    onChange: () => () => undefined,
    hold: async () => undefined,
    listRunning: async () => new Set([own]),
    notifyOthers: () => undefined,
    close: async () => undefined,
  };
}
