import type { BeforeCommit, Channel, Tx } from "./db.ts";

export interface Announcement {
  readonly channel: Channel;
  readonly value: unknown;
}

/** Listeners within this process: handlers inside the transaction, and listeners after the commit. */
export interface Channels {
  listen(channel: Channel, listener: (value: unknown) => void): () => void;
  beforeCommit(channel: Channel, handler: BeforeCommit, wants?: (value: unknown) => boolean): () => void;
  announce(announcement: Announcement): void;
  /** Runs the handlers of the announced values, then those of values that handlers announced. */
  complete(tx: Tx, announced: readonly Announcement[]): Promise<void>;
}

/** Values announced by handlers are handled in another round. More rounds than this indicate an endless loop. */
const maxRounds = 8;

const perChannel = <T>(make: () => T): Record<Channel, T> => ({
  actions: make(),
  events: make(),
  jobs: make(),
  migrations: make(),
  refs: make(),
  stores: make(),
});

const names = Object.keys(perChannel(() => undefined));

/** A notice of another process. @returns undefined if another version or another program wrote it @throws SyntaxError */
export function parseAnnouncement(text: string): Announcement | undefined {
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === "object" && parsed !== null && "channel" in parsed && names.includes(String(parsed.channel)) ? (parsed as Announcement) : undefined;
}

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
        if (round > maxRounds) throw new Error("beforeCommit handlers announce values endlessly");
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
