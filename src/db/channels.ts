import type { Channel } from "./db.ts";

/** Listeners within this process. */
export interface Channels {
  listen(channel: Channel, listener: (value: unknown) => void): () => void;
  announce(channel: Channel, value: unknown): void;
}

export function createChannels(): Channels {
  const listeners: Record<Channel, Set<(value: unknown) => void>> = { events: new Set(), jobs: new Set(), refs: new Set() };
  return {
    listen(channel, listener) {
      listeners[channel].add(listener);
      return () => listeners[channel].delete(listener);
    },
    announce(channel, value) {
      for (const listener of listeners[channel]) listener(value);
    },
  };
}
