import type { BeforeCommit, Channel, Tx } from "./db.ts";

export interface Announcement {
  readonly channel: Channel;
  readonly value: unknown;
}

/** Listeners within this process: those in the transaction, and those after it. */
export interface Channels {
  listen(channel: Channel, listener: (value: unknown) => void): () => void;
  beforeCommit(channel: Channel, handler: BeforeCommit, wants?: (value: unknown) => boolean): () => void;
  announce(announcement: Announcement): void;
  /** Runs the handlers of what was announced, then those of what they announced themselves. */
  complete(tx: Tx, announced: readonly Announcement[]): Promise<void>;
}

/** What a handler announces is handled in a round of its own. More rounds than this go in a circle. */
const maxRounds = 8;

const perChannel = <T>(make: () => T): Record<Channel, T> => ({ events: make(), jobs: make(), migrations: make(), refs: make() });

export function createChannels(): Channels {
  const listeners: Record<Channel, Set<(value: unknown) => void>> = perChannel(() => new Set());
  const handlers: Record<Channel, Set<{ readonly handle: BeforeCommit; readonly wants: (value: unknown) => boolean }>> = perChannel(() => new Set());
  return {
    listen(channel, listener) {
      listeners[channel].add(listener);
      return () => listeners[channel].delete(listener);
    },
    beforeCommit(channel, handle, wants = () => true) {
      const handler = { handle, wants };
      handlers[channel].add(handler);
      return () => handlers[channel].delete(handler);
    },
    announce({ channel, value }) {
      for (const listener of listeners[channel]) listener(value);
    },
    async complete(tx, announced) {
      let from = 0;
      for (let round = 1; from < announced.length; round += 1) {
        if (round > maxRounds) throw new Error("what runs before a commit keeps announcing");
        const fresh = announced.slice(from);
        from = announced.length;
        for (const channel of new Set(fresh.map((announcement) => announcement.channel))) {
          if (handlers[channel].size === 0) continue;
          const values = fresh.filter((announcement) => announcement.channel === channel).map((announcement) => announcement.value);
          for (const { handle, wants } of handlers[channel]) {
            const wanted = values.filter(wants);
            if (wanted.length > 0) await handle(tx, wanted);
          }
        }
      }
    },
  };
}
