import { forEachOf, unsealBase } from "./base.ts";
import type { LogPlace } from "./place.ts";

/** Start of a generation, which is part of its name. */
export const startOf = (generation: string): number => Number(generation.slice(0, generation.indexOf("-")));

/** The clock of the service may differ from that of the server. */
const clockMarginMs = 86_400_000;

export interface PruneOptions {
  readonly beforeMs: number;
  readonly current: string;
  /** Called before each deletion. Throws if a new base may be made, which may need what is deleted. */
  readonly assertWanted: () => void;
}

/**
 * Deletes generations whose successor began before a time, and what only they refer to. Bases are deleted first: a generation without one is
 * never restored.
 */
export async function pruneLog(place: LogPlace, { beforeMs, current, assertWanted }: PruneOptions): Promise<void> {
  const { client, keys, names, read } = place;
  const generations: string[] = [];
  for await (const { name } of names(keys.bases)) generations.push(name);
  generations.sort();
  const kept = generations.filter((name, at) => name >= current || startOf(generations[at + 1] ?? name) >= beforeMs);
  const deleted = generations.filter((name) => !kept.includes(name));
  if (deleted.length === 0) return;
  const [oldest = current] = kept;
  const deleteAll = async (prefix: string, isUnused: (name: string, writtenMs: number) => boolean): Promise<void> => {
    async function* unused(): AsyncGenerator<string> {
      for await (const { name, writtenMs } of names(prefix)) if (isUnused(name, writtenMs)) yield prefix + name;
    }
    await forEachOf(unused(), async (key) => {
      assertWanted();
      await client.delete(key);
    });
  };
  await deleteAll(keys.bases, (name) => deleted.includes(name));
  // Also those of generations that never had a base.
  await deleteAll(keys.segments, (name) => name < oldest);
  const chunks = new Set<string>();
  const files = new Set<string>();
  for (const name of kept) {
    const bytes = await read(keys.base(name));
    const base = bytes && (await unsealBase(bytes));
    // Nothing is deleted that a base might need that cannot be read.
    if (base === undefined) return;
    for (const chunk of base.chunks) chunks.add(chunk);
    for (const path of base.files) files.add(keys.file(path));
  }
  await deleteAll(keys.chunks, (name) => !chunks.has(name));
  // Newer files may belong to segments.
  await deleteAll(keys.content, (name, writtenMs) => writtenMs < startOf(oldest) - clockMarginMs && !files.has(keys.content + name));
}
