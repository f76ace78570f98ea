import { isIPv6 } from "node:net";

/** Maximum number of open connections. Further clients are disconnected before any byte is exchanged. */
export interface ConnectionBounds {
  readonly total: number;
  readonly perNetwork: number;
  /** Unauthenticated connections. They cost key exchanges, and anyone can open them. */
  readonly unknownTotal: number;
  readonly unknownPerNetwork: number;
}

export interface ConnectionSlot {
  /** Marks the client as authenticated. */
  known(): void;
  leave(): void;
}

export interface ConnectionSlots {
  /** Undefined when no slot is free for this address. */
  take(address: string): ConnectionSlot | undefined;
  readonly taken: number;
}

export function createConnectionSlots(bounds: ConnectionBounds): ConnectionSlots {
  const all = createCount(bounds.total, bounds.perNetwork);
  const unknown = createCount(bounds.unknownTotal, bounds.unknownPerNetwork);
  return {
    get taken() {
      return all.total;
    },
    take(address) {
      const network = networkOf(address);
      if (!all.hasRoom(network) || !unknown.hasRoom(network)) return undefined;
      all.add(network, 1);
      unknown.add(network, 1);
      let state: "unknown" | "known" | "left" = "unknown";
      const becomeKnown = (): void => {
        if (state === "unknown") unknown.add(network, -1);
      };
      return {
        known() {
          becomeKnown();
          if (state === "unknown") state = "known";
        },
        leave() {
          if (state === "left") return;
          becomeKnown();
          state = "left";
          all.add(network, -1);
        },
      };
    },
  };
}

function createCount(total: number, perNetwork: number) {
  const counts = new Map<string, number>();
  let sum = 0;
  return {
    get total() {
      return sum;
    },
    hasRoom: (network: string): boolean => sum < total && (counts.get(network) ?? 0) < perNetwork,
    add(network: string, change: 1 | -1): void {
      sum += change;
      const left = (counts.get(network) ?? 0) + change;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    },
  };
}

/** The /64 network of an IPv6 address, because a client usually has a whole network: its addresses count as one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.replace(/%.*$/, "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const all = tail === undefined ? groups : [...groups, ...Array<string>(Math.max(0, 8 - groups.length - last.length)).fill("0"), ...last];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
