import { isIPv6 } from "node:net";

/** How many connections are held at once; whoever comes beyond that is turned away before a byte is exchanged. */
export interface ConnectionBounds {
  readonly total: number;
  readonly perNetwork: number;
  /** Connections that have not signed in yet. They cost key exchanges, and anybody can open them. */
  readonly unknownTotal: number;
  readonly unknownPerNetwork: number;
}

/** The place of one connection. */
export interface ConnectionSlot {
  /** The client has signed in. */
  known(): void;
  leave(): void;
}

export interface ConnectionSlots {
  /** Undefined when there is none for this address. */
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

/** Who has one IPv6 address has a network of them: they count as one. */
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
