/** Bytes that arrive in chunks. */
export interface CollectedBytes {
  add(chunk: Uint8Array): void;
  sizeBytes(): number;
  /** All bytes so far. */
  bytes(): Buffer;
}

/** Smaller chunks are copied as they arrive. */
const smallBytes = 4 * 1024;
const firstBlockBytes = 8 * 1024;
const maxBlockBytes = 256 * 1024;
/** Above this size all chunks are copied as they arrive: joining tens of megabytes at the end would block the event loop. */
const largeBytes = 1024 * 1024;

/**
 * Collects chunks of any size. Git sends each of 50,000 lines as a chunk of its own: each has memory of its own, and to keep them until the
 * end would cost more in the garbage collector than to read them.
 * @param declaredBytes the declared length, which the chunks do not exceed (RFC 9112 6.3); 0 if there is none
 */
export const collectBytes = (declaredBytes = 0): CollectedBytes => (declaredBytes > largeBytes ? collectDeclared(declaredBytes) : collectBlocks());

function collectDeclared(declaredBytes: number): CollectedBytes {
  const whole = Buffer.allocUnsafeSlow(declaredBytes);
  let size = 0;
  return {
    sizeBytes: () => size,
    add(chunk) {
      whole.set(chunk, size);
      size += chunk.length;
    },
    bytes: () => whole.subarray(0, size),
  };
}

function collectBlocks(): CollectedBytes {
  const parts: Buffer[] = [];
  let block: Buffer | undefined;
  let filled = 0;
  let size = 0;
  const endBlock = (): void => {
    if (block !== undefined && filled > 0) parts.push(block.subarray(0, filled));
    block = undefined;
    filled = 0;
  };
  return {
    sizeBytes: () => size,
    add(chunk) {
      const isAlone = size === 0;
      size += chunk.length;
      // Most bodies are one chunk.
      if (chunk.length >= smallBytes || isAlone) {
        endBlock();
        parts.push(asBuffer(chunk));
        return;
      }
      if (block === undefined || filled + chunk.length > block.length) {
        endBlock();
        block = Buffer.allocUnsafeSlow(Math.min(maxBlockBytes, Math.max(firstBlockBytes, size)));
      }
      block.set(chunk, filled);
      filled += chunk.length;
    },
    bytes() {
      endBlock();
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size);
    },
  };
}

const asBuffer = (chunk: Uint8Array): Buffer => (Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
