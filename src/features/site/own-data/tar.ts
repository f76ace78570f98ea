import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";

export interface ExportedFile {
  /** Relative, with slashes. */
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const blockBytes = 512;
/** Content up to this size stays in memory until its size is known. */
const maxHeldBytes = 1024 * 1024;
const readBytes = 256 * 1024;
/** Larger sizes do not fit into the octal digits of a header. */
const maxOctalSize = 8 ** 11;

/**
 * Streams a tar archive (POSIX ustar). A header precedes its content and contains the size, so larger content is written to a file without a name first:
 * the disk needs room for the largest file. `tar-stream` would need the sizes in advance in the same way, and replace only the header below: it brings at
 * least ten packages, one of them with native code.
 * @param folder for these files
 * @throws any error of the files; the archive then has no end
 */
export async function* tarOf(files: AsyncIterable<ExportedFile>, folder: string, nowMs: number): AsyncGenerator<Buffer, void, undefined> {
  for await (const { path, content } of files) {
    await using held = await hold(content, folder);
    yield headerOf(path, held.sizeBytes, nowMs);
    yield* held.read();
    yield Buffer.alloc((blockBytes - (held.sizeBytes % blockBytes)) % blockBytes);
  }
  yield Buffer.alloc(2 * blockBytes);
}

interface Held extends AsyncDisposable {
  readonly sizeBytes: number;
  read(): AsyncGenerator<Buffer, void, undefined>;
}

async function hold(content: ExportedFile["content"], folder: string): Promise<Held> {
  let chunks: Buffer[] = [];
  let sizeBytes = 0;
  let heldBytes = 0;
  let file: FileHandle | undefined;
  const spill = async (): Promise<void> => {
    file ??= await openNameless(folder);
    for (const chunk of chunks) await file.writeFile(chunk);
    chunks = [];
    heldBytes = 0;
  };
  try {
    for await (const chunk of content) {
      // The source may reuse its buffer.
      chunks.push(Buffer.from(chunk));
      sizeBytes += chunk.length;
      heldBytes += chunk.length;
      if (heldBytes > maxHeldBytes) await spill();
    }
    if (file !== undefined) await spill();
  } catch (error) {
    await file?.close();
    throw error;
  }
  const spilled = file;
  return {
    sizeBytes,
    async *read() {
      yield* chunks;
      for (let at = 0; spilled !== undefined && at < sizeBytes; ) {
        const { buffer, bytesRead } = await spilled.read(Buffer.allocUnsafe(readBytes), 0, readBytes, at);
        if (bytesRead === 0) throw new Error("a file of the download was cut short");
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
      }
    },
    [Symbol.asyncDispose]: async () => spilled?.close(),
  };
}

/** Nothing is left of the file if the server is killed. */
async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}

/** @throws Error for a path that does not fit */
function headerOf(path: string, sizeBytes: number, nowMs: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  const [name, prefix] = splitPath(path);
  const octal = (value: number, at: number, length: number): void => void header.write(value.toString(8).padStart(length - 1, "0"), at, "latin1");
  header.write(name, 0, "utf8");
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (sizeBytes < maxOctalSize) octal(sizeBytes, 124, 12);
  else {
    // Base 256, as GNU tar and libarchive write it.
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(sizeBytes), 128);
  }
  octal(Math.floor(nowMs / 1_000), 136, 12);
  header.write("        ", 148, "latin1");
  header.write("0", 156, "latin1");
  header.write("ustar\0", 257, "latin1");
  header.write("00", 263, "latin1");
  header.write(prefix, 345, "utf8");
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  header[154] = 0;
  return header;
}

/** A name of at most 100 bytes, and the folders before it. */
function splitPath(path: string): readonly [name: string, prefix: string] {
  if (Buffer.byteLength(path) <= 100) return [path, ""];
  const at = path.lastIndexOf("/");
  const [prefix, name] = [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
  if (Buffer.byteLength(name) > 100 || Buffer.byteLength(prefix) > 155) throw new Error(`the path ${path} is too long for an archive`);
  return [name, prefix];
}
