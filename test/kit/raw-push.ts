import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { encodePkt, encodePkts, flushPkt } from "../../src/git/send/pkt-line.ts";
import type { GitObject } from "../../src/git/types.ts";
import type { TestUser } from "./forge.ts";

/** A push as raw bytes, for input that no client would send and for more refs than a client handles quickly. */
export interface RawPush {
  /** `old new name`, with 40 zeros for a ref that does not exist. */
  readonly commands: readonly (string | Buffer)[];
  readonly capabilities?: string;
  readonly options?: readonly (string | Buffer)[];
  /** Default: an empty pack. */
  readonly pack?: Buffer;
}

export const zeroOid: string = "0".repeat(40);

/** The pack without objects. */
export function emptyPack(): Buffer {
  const header = Buffer.concat([Buffer.from("PACK"), Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])]);
  return Buffer.concat([header, createHash("sha1").update(header).digest()]);
}

export function pushBody({ commands, capabilities = "report-status", options, pack = emptyPack() }: RawPush): Buffer {
  const [first = "", ...rest] = commands;
  const optionBytes = options === undefined ? [] : [encodePkts(options), flushPkt];
  const capabilityText = `${capabilities}${options === undefined ? "" : " push-options"}`;
  return Buffer.concat([encodePkt(Buffer.concat([Buffer.from(first), Buffer.from(`\0 ${capabilityText}`)])), encodePkts(rest), flushPkt, ...optionBytes, pack]);
}

/** @param fullName `owner/name` */
export async function rawPush(
  url: string,
  user: TestUser,
  fullName: string,
  push: RawPush | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/${fullName}.git/git-receive-pack`, {
    method: "POST",
    headers: { authorization: `token ${user.token}`, "content-type": "application/x-git-receive-pack-request", ...headers },
    body: new Uint8Array(Buffer.isBuffer(push) ? push : pushBody(push)),
  });
  return { status: response.status, text: await response.text() };
}

const typeNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;

/** A pack of these objects (gitformat-pack), without deltas. */
export function packOf(objects: readonly GitObject[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(objects.length);
  const parts = [Buffer.from("PACK\0\0\0\x02", "latin1"), count];
  for (const { type, data } of objects) {
    let left = data.length >> 4;
    const header = [(typeNumbers[type] << 4) | (data.length & 15)];
    for (; left > 0; left >>= 7) {
      header[header.length - 1] = (header.at(-1) ?? 0) | 0x80;
      header.push(left & 0x7f);
    }
    parts.push(Buffer.from(header), deflateSync(data, { level: 1 }));
  }
  const whole = Buffer.concat(parts);
  return Buffer.concat([whole, createHash("sha1").update(whole).digest()]);
}
