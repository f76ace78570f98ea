import { randomInt } from "node:crypto";

/**
 * This process as one of those that serve a database. The database knows which of them are running, so that the work of a process
 * that has ended can be taken over at once, and that of a running one cannot.
 */
export interface Presence {
  /** Identifies this process in rows that it owns, while {@link isHeld}. It changes when the presence was lost and regained. */
  id(): number;
  /** False while the other processes cannot see this one. Rows under its id may be taken over then. */
  isHeld(): boolean;
  /** Calls `listener` each time the presence is lost or regained. @returns the end of listening */
  onChange(listener: (isHeld: boolean) => void): () => void;
  /** Regains a lost presence under a new id. @throws ForgeError `unavailable` */
  hold(): Promise<void>;
  /** @returns those of `ids` whose processes have ended. @throws ForgeError `unavailable` */
  findGone(ids: readonly number[]): Promise<readonly number[]>;
  /** Gives up the presence. */
  close(): Promise<void>;
}

/** An id that no other process has: 31 bits of chance, since a key of an advisory lock is a signed 32-bit integer. */
export const newPresenceId = (): number => randomInt(1, 2 ** 31);

/** For a database that one process serves: all others have ended. */
export function presenceAlone(): Presence {
  const own = newPresenceId();
  return {
    id: () => own,
    isHeld: () => true,
    onChange: () => () => undefined,
    hold: async () => undefined,
    findGone: async (ids) => ids.filter((id) => id !== own),
    close: async () => undefined,
  };
}
