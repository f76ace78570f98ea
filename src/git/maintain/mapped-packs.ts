import { open } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../objects/durable-fs.ts";

/**
 * The packs whose objects a reachability bitmap covers: those with a bitmap of their own, and those of a multi-pack-index with one. The times
 * of the files do not show that, because a copy of a store creates them in any order.
 * @param files names in the pack directory
 * @returns names without extension, such as `pack-0123...`
 */
export async function listMappedPacks(directory: string, files: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const names = [...files];
  const own = names.flatMap((name) => /^(pack-[0-9a-f]+)\.bitmap$/.exec(name)?.[1] ?? []);
  const hasShared = names.some((name) => /^multi-pack-index-[0-9a-f]+\.bitmap$/.test(name));
  return new Set([...own, ...(hasShared ? await readPackNames(join(directory, "multi-pack-index")) : [])]);
}

const headerBytes = 12;
const rowBytes = 12;

/** The packs of a multi-pack-index (gitformat-pack(5)); empty if the file is missing or of another version. */
async function readPackNames(path: string): Promise<readonly string[]> {
  try {
    await using file = await open(path);
    const read = async (start: number, length: number): Promise<Buffer> => {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await file.read(bytes, 0, length, start);
      return bytes.subarray(0, bytesRead);
    };
    const header = await read(0, headerBytes);
    if (header.length < headerBytes || header.toString("latin1", 0, 4) !== "MIDX" || header[4] !== 1) return [];
    // The row after the last chunk has its end.
    const rows = await read(headerBytes, ((header[6] ?? 0) + 1) * rowBytes);
    const at = rows.indexOf("PNAM", 0, "latin1");
    if (at < 0 || at + 2 * rowBytes > rows.length) return [];
    const [start, end] = [at, at + rowBytes].map((row) => Number(rows.readBigUInt64BE(row + 4))) as [number, number];
    const names = (await read(start, end - start)).toString("latin1").split("\0");
    return names.flatMap((name) => /^(pack-[0-9a-f]+)\.idx$/.exec(name)?.[1] ?? []);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
