import type { Caller } from "../core/lanes.ts";
import { networkOf } from "../core/networks.ts";
import type { Actor } from "./actor.ts";

/** The class of a caller in lanes: a user in a browser, a program with credentials, or an anonymous caller of a network. */
export function callerOf(actor: Actor, remoteAddress: string): Caller {
  if (actor.kind === "anonymous") return { kind: "anonymous", key: networkOf(remoteAddress) };
  if (actor.kind === "deploy-key") return { kind: "automated", key: `key ${actor.keyId}` };
  return { kind: actor.credential.kind === "session" ? "interactive" : "automated", key: `user ${actor.id}` };
}
