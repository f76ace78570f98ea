import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../objects/durable-fs.ts";
import { encodeName } from "../objects/names.ts";
import type { ObjectFormat, Oid } from "../types.ts";

/**
 * The commit-graph of a store: commits with their trees and parents, and a Bloom filter of the paths that each changes against its first parent
 * (git's `gitformat-commit-graph`). Commits have positions, from 0 to `count - 1`.
 */
export interface GraphFile {
  readonly count: number;
  /** Undefined for a commit that is not in the graph: it lags behind the refs. */
  find(oid: Oid): number | undefined;
  oidAt(position: number): Oid;
  treeAt(position: number): Oid;
  /** In order. */
  parentsAt(position: number): readonly number[];
  /** Follows first parents to the first commit that may change one of the paths against its first parent, or to a root commit. */
  descend(descent: Descent): Descended;
}

export interface Descent {
  readonly position: number;
  /** A commit that does not change it changes none of the paths. Undefined for the root. */
  readonly directory: PathBits | undefined;
  readonly paths: readonly PathBits[];
  /** Ends the descent after about so many tests of filters. */
  readonly maxTests: number;
}

export interface Descended {
  readonly position: number;
  readonly tests: number;
  /** False if `maxTests` was reached before. */
  readonly isThere: boolean;
}

/** A path as the filters know it. */
export interface PathBits {
  readonly first: number;
  readonly step: number;
}

/** Larger graphs, of about 400,000 commits, are left to git: the file is in memory during a search. */
const maxBytes = 32 * 1024 * 1024;

/** A store that is on disk. */
export interface GraphPlace {
  readonly key: string;
  readonly format: ObjectFormat;
  readonly objectsPath: string;
}

/** Shares the files that searches read. */
export interface GraphFiles {
  /** @param work gets undefined if the store has no graph with filters, or a larger one than is read */
  use<T>(place: GraphPlace, work: (graph: GraphFile | undefined) => Promise<T>): Promise<T>;
}

/** Later users do not join, so that a busy store does not keep an old graph. */
const joinedMs = 10_000;

/** A file is in memory while it is in use. */
export function createGraphFiles(): GraphFiles {
  const inUse = new Map<string, { readonly graph: Promise<GraphFile | undefined>; readonly atMs: number; users: number }>();
  return {
    async use(place, work) {
      const known = inUse.get(place.key);
      const file =
        known !== undefined && performance.now() < known.atMs + joinedMs ? known : { graph: readGraphFile(place), atMs: performance.now(), users: 0 };
      inUse.set(place.key, file);
      file.users += 1;
      try {
        return await work(await file.graph);
      } finally {
        file.users -= 1;
        if (file.users === 0 && inUse.get(place.key) === file) inUse.delete(place.key);
      }
    },
  };
}

async function readGraphFile({ format, objectsPath }: GraphPlace): Promise<GraphFile | undefined> {
  const info = join(objectsPath, "info");
  try {
    const paths = await listFiles(info);
    let bytes = 0;
    for (const path of paths) bytes += (await stat(path)).size;
    if (bytes > maxBytes) return undefined;
    const layers: Layer[] = [];
    for (const path of paths) layers.push(parseLayer(await readFile(path), format, layers));
    return layers.length === 0 ? undefined : joinLayers(layers);
  } catch (error) {
    // Housekeeping has replaced the files, or they are damaged. Git reports that in its own walks.
    if (isMissing(error) || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** From the oldest layer to the newest one. */
async function listFiles(info: string): Promise<string[]> {
  try {
    const chain = await readFile(join(info, "commit-graphs", "commit-graph-chain"), "latin1");
    return chain.split("\n").flatMap((hash) => (hash === "" ? [] : join(info, "commit-graphs", `graph-${hash}.graph`)));
  } catch (error) {
    if (!isMissing(error)) throw error;
    return [join(info, "commit-graph")];
  }
}

/** Positions below `start` belong to older layers. */
interface Layer {
  readonly start: number;
  readonly count: number;
  readonly oidBytes: number;
  readonly data: Buffer;
  readonly view: DataView;
  readonly fanoutAt: number;
  readonly oidsAt: number;
  readonly commitsAt: number;
  /** -1 without merges of more than two parents. */
  readonly edgesAt: number;
  readonly filterEndsAt: number;
  readonly filtersAt: number;
  readonly hashes: number;
}

const signature = 0x43475048;
const headerBytes = 8;
const chunkBytes = 12;
const fanoutEntries = 256;
const filterHeaderBytes = 12;

/** @throws RangeError for a file that is damaged or has no filters of the known version */
function parseLayer(data: Buffer, format: ObjectFormat, older: readonly Layer[]): Layer {
  const formatNumber = format === "sha1" ? 1 : 2;
  if (data.readUInt32BE(0) !== signature || data[4] !== 1 || data[5] !== formatNumber || data[7] !== older.length) throw new RangeError("unknown commit-graph");
  const chunks = new Map<number, number>();
  for (let index = 0; index < data.readUInt8(6); index += 1) {
    const at = headerBytes + index * chunkBytes;
    chunks.set(data.readUInt32BE(at), Number(data.readBigUInt64BE(at + 4)));
  }
  const place = (name: string): number => {
    const at = chunks.get(Buffer.from(name, "latin1").readUInt32BE());
    if (at === undefined) throw new RangeError(`a commit-graph without ${name}`);
    return at;
  };
  const filters = place("BDAT");
  if (data.readUInt32BE(filters) !== hashVersion) throw new RangeError("unknown filters in a commit-graph");
  const fanoutAt = place("OIDF");
  const oidBytes = format === "sha1" ? 20 : 32;
  const layer = {
    start: older.reduce((sum, { count }) => sum + count, 0),
    count: data.readUInt32BE(fanoutAt + 4 * (fanoutEntries - 1)),
    oidBytes,
    data,
    view: new DataView(data.buffer, data.byteOffset, data.length),
    fanoutAt,
    oidsAt: place("OIDL"),
    commitsAt: place("CDAT"),
    edgesAt: chunks.has(Buffer.from("EDGE").readUInt32BE()) ? place("EDGE") : -1,
    filterEndsAt: place("BIDX"),
    filtersAt: filters + filterHeaderBytes,
    hashes: data.readUInt32BE(filters + 4),
  };
  const ends = [layer.oidsAt + layer.count * oidBytes, layer.commitsAt + layer.count * (oidBytes + 16), layer.filterEndsAt + layer.count * 4];
  if (ends.some((end) => end > data.length)) throw new RangeError("a truncated commit-graph");
  return layer;
}

const noParent = 0x70000000;
const moreParents = 0x80000000;

function joinLayers(layers: readonly Layer[]): GraphFile {
  const [newest] = layers.slice(-1) as [Layer];
  const layerOf = (position: number): Layer => layers.findLast(({ start }) => position >= start) ?? newest;
  return {
    count: newest.start + newest.count,
    find(oid) {
      const bytes = Buffer.from(oid, "hex");
      for (const layer of layers) {
        const index = bytes.length === layer.oidBytes ? findOid(layer, bytes) : undefined;
        if (index !== undefined) return layer.start + index;
      }
      return undefined;
    },
    oidAt(position) {
      const { data, oidsAt, oidBytes, start } = layerOf(position);
      const at = oidsAt + (position - start) * oidBytes;
      return data.toString("hex", at, at + oidBytes);
    },
    treeAt(position) {
      const layer = layerOf(position);
      const at = commitAt(layer, position);
      return layer.data.toString("hex", at, at + layer.oidBytes);
    },
    parentsAt(position) {
      const layer = layerOf(position);
      const first = firstParentAt(layer, position);
      if (first === noParent) return [];
      const second = layer.view.getUint32(commitAt(layer, position) + layer.oidBytes + 4);
      if (second === noParent) return [first];
      return [first, ...(second < moreParents ? [second] : edges(layer, second - moreParents))];
    },
    descend({ position, directory, paths, maxTests }) {
      let layer = layerOf(position);
      for (let tests = 0; ; ) {
        const parent = firstParentAt(layer, position);
        if (parent === noParent) return { position, tests, isThere: true };
        tests += 1;
        if (directory === undefined || mayChange(layer, position, directory)) {
          tests += paths.length;
          for (const path of paths) if (mayChange(layer, position, path)) return { position, tests, isThere: true };
        }
        position = parent;
        if (position < layer.start || position >= layer.start + layer.count) layer = layerOf(position);
        if (tests >= maxTests) return { position, tests, isThere: false };
      }
    },
  };
}

const commitAt = ({ commitsAt, oidBytes, start }: Layer, position: number): number => commitsAt + (position - start) * (oidBytes + 16);

const firstParentAt = (layer: Layer, position: number): number => layer.view.getUint32(commitAt(layer, position) + layer.oidBytes);

/** False if the commit has the path exactly as its first parent. True if that is not known. */
function mayChange({ view, filterEndsAt, filtersAt, hashes, start }: Layer, position: number, { first, step }: PathBits): boolean {
  const end = filterEndsAt + 4 * (position - start);
  const from = position === start ? 0 : view.getUint32(end - 4);
  const bits = (view.getUint32(end) - from) * 8;
  // No filter was computed.
  if (bits === 0) return true;
  for (let hash = 0, sum = first; hash < hashes; hash += 1, sum = (sum + step) >>> 0) {
    const bit = sum % bits;
    if ((view.getUint8(filtersAt + from + (bit >>> 3)) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function edges({ data, edgesAt }: Layer, start: number): number[] {
  if (edgesAt === -1) throw new RangeError("a commit-graph without EDGE");
  const parents: number[] = [];
  for (let at = edgesAt + 4 * start; ; at += 4) {
    const edge = data.readUInt32BE(at);
    parents.push(edge % moreParents);
    if (edge >= moreParents) return parents;
  }
}

function findOid({ data, fanoutAt, oidsAt, oidBytes }: Layer, oid: Buffer): number | undefined {
  const [prefix = 0] = oid;
  let low = prefix === 0 ? 0 : data.readUInt32BE(fanoutAt + 4 * (prefix - 1));
  let high = data.readUInt32BE(fanoutAt + 4 * prefix);
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = data.compare(oid, 0, oidBytes, oidsAt + middle * oidBytes, oidsAt + (middle + 1) * oidBytes);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** Version 1 hashes bytes above 0x7f as the signed characters of the machine, so such paths are not looked up. */
const hashVersion = 1;
const firstSeed = 0x293ae76f;
const stepSeed = 0x7e646e2c;

/** Undefined for a path that the filters do not know reliably. */
export function pathBits(path: string): PathBits | undefined {
  const bytes = encodeName(path);
  return bytes.some((byte) => byte > 0x7f) ? undefined : { first: murmur3(firstSeed, bytes), step: murmur3(stepSeed, bytes) };
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** MurmurHash3, 32 bits. */
function murmur3(seed: number, bytes: Buffer): number {
  const mix = (block: number): number => Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
  const tail = bytes.length & ~3;
  let hash = seed;
  for (let at = 0; at < tail; at += 4) hash = (Math.imul(rotate(hash ^ mix(bytes.readInt32LE(at)), 13), 5) + 0xe6546b64) | 0;
  let rest = 0;
  for (let at = bytes.length - 1; at >= tail; at -= 1) rest = (rest << 8) | bytes.readUInt8(at);
  hash ^= mix(rest) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
