import { unauthenticated } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";

export type LinkPurpose = "artifact upload" | "artifact download" | "cache download";

/** Toolkits retry and continue for a long time; a link is made for each file. */
export const linkValidMs = 60 * 60_000;

/** The signature of an address that needs no other credential until it expires. */
export const signLink = (sealer: Sealer, purpose: LinkPurpose, id: number, nowMs: number): string =>
  sealer.seal(purpose, JSON.stringify([id, nowMs + linkValidMs]));

/** @returns the id that the link is for @throws ForgeError `unauthenticated` for a forged or expired link */
export function openLink(sealer: Sealer, purpose: LinkPurpose, signature: string, nowMs: number): number {
  const opened = signature.length > 500 ? undefined : sealer.open(purpose, signature);
  const [id, untilMs] = opened === undefined ? [0, 0] : (JSON.parse(opened) as readonly [number, number]);
  if (untilMs <= nowMs) throw unauthenticated("the link is invalid or has expired");
  return id;
}
