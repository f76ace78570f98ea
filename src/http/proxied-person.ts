import { BlockList, isIP } from "node:net";

/** Which headers of a reverse proxy tell who somebody is. */
export interface ProxyHeaders {
  readonly user: string;
  readonly email: string;
  readonly fullName: string;
}

/** Somebody whom a trusted reverse proxy has signed in. */
export interface ProxiedPerson {
  readonly name: string;
  readonly email: string;
  readonly fullName: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What the framework calls networks, too (proxy-addr). */
const networks: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Whether an address is in one of the networks. @throws Error for what is no address and no network */
export function createPeerCheck(trusted: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const entry of trusted.flatMap((name) => networks[name] ?? [name])) {
    const [address = "", bits] = entry.split("/", 2);
    const family = isIP(address);
    if (family === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) throw new Error(`${entry} is no address and no network, such as 10.0.0.0/8`);
    list.addSubnet(address, bits === undefined ? (family === 4 ? 32 : 128) : Number(bits), family === 4 ? "ipv4" : "ipv6");
  }
  return (address) => {
    if (address === undefined) return false;
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 4 ? "ipv4" : "ipv6");
  };
}

/** Longer than any name or address. */
const maxLength = 255;

/**
 * Reads who somebody is from what a proxy says. The connection's own other end has to be trusted: no header tells who that is.
 * @returns a function of a request's headers and the address at the other end; undefined where nobody was named by one who may
 */
export function createProxiedReader(
  headers: ProxyHeaders | undefined,
  trusted: readonly string[],
): (given: Headers, peer: string | undefined) => ProxiedPerson | undefined {
  if (headers === undefined) return () => undefined;
  const isTrusted = createPeerCheck(trusted);
  const [user, email, fullName] = [headers.user, headers.email, headers.fullName].map((name) => name.toLowerCase());
  return (given, peer) => {
    const value = (name = ""): string => {
      const text = name === "" ? undefined : given[name];
      // Node reads headers as latin1; what proxies send beyond ASCII is UTF-8.
      return typeof text === "string" ? Buffer.from(text, "latin1").toString("utf8").trim().slice(0, maxLength) : "";
    };
    const name = value(user);
    return name === "" || !isTrusted(peer) ? undefined : { name, email: value(email), fullName: value(fullName) };
  };
}
