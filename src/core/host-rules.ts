import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { type Glob, parseGlob } from "./glob.ts";

/**
 * Hosts that this server may call, as configured by the operator: names with `*` (`*.example.org`), addresses, networks (`10.0.0.0/8`), and
 * the keywords `external` (public addresses), `private` (RFC 1918, fc00::/7), `loopback` and `*` (all).
 */
export interface HostRules {
  /** Whether a host of this name may be called at an address. A name that is listed explicitly may resolve to any address. */
  allows(hostname: string, address: string): boolean;
}

type AddressRule = (address: Address) => boolean;
type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** All assigned IPv6 addresses (RFC 4291 2.4); addresses outside it can map to IPv4 hosts. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

const keywords: Readonly<Record<string, AddressRule>> = {
  "*": () => true,
  external: (address) => address.range() === "unicast" && (address instanceof ipaddr.IPv4 || address.match(globalUnicast)),
  private: (address) => address.range() === "private" || address.range() === "uniqueLocal",
  loopback: (address) => address.range() === "loopback",
};

/** @returns undefined if a rule is invalid */
export function parseHostRules(texts: readonly string[]): HostRules | undefined {
  const addressRules: AddressRule[] = [];
  const names: Glob[] = [];
  for (const text of texts) {
    const rule = keywords[text] ?? networkRule(text);
    if (rule !== undefined) {
      addressRules.push(rule);
      continue;
    }
    const name = /^[\w.*?-]+$/.test(text) ? parseGlob(text, { separators: "", ignoresCase: true }) : undefined;
    if (name === undefined) return undefined;
    names.push(name);
  }
  return {
    allows(hostname, text) {
      const name = hostname.replace(/\.$/, "");
      if (isIP(name) === 0 && names.some((glob) => glob.matches(name))) return true;
      const address = ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
      return address !== undefined && addressRules.some((rule) => rule(address));
    },
  };
}

/** A single address or a network. */
function networkRule(text: string): AddressRule | undefined {
  const bits = text.includes("/") ? text : isIP(text) === 4 ? `${text}/32` : `${text}/128`;
  if (!ipaddr.isValidCIDR(bits)) return undefined;
  const [network, length] = ipaddr.parseCIDR(bits);
  return (address) => address.kind() === network.kind() && (address as ipaddr.IPv6).match(network as ipaddr.IPv6, length);
}
