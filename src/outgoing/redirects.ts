import { readWebAddress } from "../core/web-address.ts";
import type { OutgoingAnswer } from "./client.ts";

/** The address to which a response redirects; undefined for other responses, invalid addresses, and redirects from HTTPS to HTTP. */
export function redirectOf({ status, headers: { location } }: Pick<OutgoingAnswer, "status" | "headers">, requested: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined || !URL.canParse(location, requested)) return undefined;
  const led = readWebAddress(new URL(location, requested).href);
  return led === undefined || (requested.protocol === "https:" && led.protocol === "http:") ? undefined : led;
}
