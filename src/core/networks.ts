import { isIPv4, isIPv6 } from "node:net";

/**
 * The network by which callers are distinguished: an IPv4 address itself, or the /64 of an IPv6 address, since one subscriber gets a whole
 * /64. An IPv4-mapped IPv6 address counts as IPv4. All invalid addresses share one network.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const [plain = ""] = address.split("%", 1);
  if (!isIPv6(plain)) return "unknown";
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [groups[6] ?? 0, groups[7] ?? 0].flatMap((group) => [group >> 8, group & 0xff]).join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [head = "", tail] = address.split("::", 2);
  const front = numbers(head);
  if (tail === undefined) return front;
  const back = numbers(tail);
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

function numbers(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
