import { setTimeout as sleep } from "node:timers/promises";
import type { Site, SiteNode } from "./site.ts";

/** A fault that has happened, on the monotonic clock. */
export interface Fault {
  readonly kind: FaultKind;
  readonly atMs: number;
  /** When it was repaired. */
  endMs: number;
  /** The node that it hit, if it hit one. */
  readonly node: string | undefined;
}

const kinds = ["kill node", "pause node", "cut database", "cut storage", "kill primary", "promote standby", "kill storage", "wipe copies"] as const;
export type FaultKind = (typeof kinds)[number];

/** The lease of a job is 60 s. */
const longerThanLeaseMs = 65_000;

/**
 * Runs faults that follow from random numbers, some of them at the same time, and repairs everything at the end.
 * @param pausesLong pauses one node for longer than the leases of its jobs
 */
export async function runFaults(
  site: Site,
  { durationMs, below, pausesLong }: { readonly durationMs: number; readonly below: (limit: number) => number; readonly pausesLong: boolean },
): Promise<readonly Fault[]> {
  const happened: Fault[] = [];
  const repairs = new Set<Promise<void>>();
  /** Components that a fault is using. */
  const busy = new Set<unknown>();
  const between = (least: number, most: number): number => least + below(most - least);

  const during = (parts: readonly unknown[], kind: FaultKind, node: SiteNode | undefined, work: () => Promise<void>): void => {
    for (const part of parts) busy.add(part);
    const fault: Fault = { kind, atMs: performance.now(), endMs: Number.POSITIVE_INFINITY, node: node?.name };
    happened.push(fault);
    const repair = work().finally(() => {
      fault.endMs = performance.now();
      for (const part of parts) busy.delete(part);
      repairs.delete(repair);
    });
    repairs.add(repair);
  };
  const pause = (node: SiteNode, lengthMs: number): void =>
    during([node], "pause node", node, async () => {
      node.pause();
      await sleep(lengthMs);
      node.resume();
    });

  const start = (kind: FaultKind): void => {
    const node = site.nodes[below(site.nodes.length)] as SiteNode;
    const lengthMs = between(200, 5_000);
    // At least one node stays as it is.
    const othersBusy = site.nodes.filter((one) => busy.has(one)).length >= site.nodes.length - 1;
    if (["kill node", "pause node", "cut database", "cut storage"].includes(kind) && (busy.has(node) || othersBusy)) return;
    if (["kill primary", "promote standby"].includes(kind) && busy.has("database")) return;
    if (kind === "kill node")
      during([node], kind, node, async () => {
        await node.kill();
        await sleep(lengthMs / 2);
        await node.start();
      });
    else if (kind === "pause node") pause(node, lengthMs);
    else if (kind === "cut database" || kind === "cut storage")
      during([node], kind, node, async () => {
        const lines = kind === "cut storage" ? [node.storage] : node.database;
        const state = below(2) === 0 ? "silent" : "refused";
        for (const line of lines) line.set(state);
        await sleep(lengthMs);
        for (const line of lines) line.set("open");
      });
    else if (kind === "kill primary")
      during(["database"], kind, undefined, async () => {
        await site.primary.kill();
        await sleep(lengthMs / 4);
        await site.primary.start();
      });
    else if (kind === "promote standby")
      during(["database"], kind, undefined, async () => {
        await site.promote();
        await site.addStandby();
      });
    else if (kind === "kill storage" && !busy.has("storage"))
      during(["storage"], kind, undefined, async () => {
        await site.gateway.kill();
        await sleep(lengthMs);
        await site.gateway.restart();
      });
    else if (kind === "wipe copies") {
      const atMs = performance.now();
      happened.push({ kind, atMs, endMs: atMs, node: node.name });
      node.wipe();
    }
  };

  if (pausesLong) pause(site.nodes[0] as SiteNode, longerThanLeaseMs);
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; await sleep(between(200, 2_000)))
    start(kinds[below(kinds.length)] as FaultKind);
  while (repairs.size > 0) await Promise.all(repairs);
  return happened;
}
