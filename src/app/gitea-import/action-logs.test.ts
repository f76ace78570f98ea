import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { readTaskLog } from "./action-logs.ts";
import type { Conversion } from "./context.ts";

test("a compressed log that is cut off anywhere keeps its first lines and is reported", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-logs-"));
  const text = Array.from({ length: 20_000 }, (_, at) => `2026-11-27T04:00:01.0000000Z line ${at} ${(at * 2_654_435_761) % 4_294_967_296}\n`).join("");
  const whole = zstdCompressSync(Buffer.from(text));
  const read = async (bytes: Uint8Array) => {
    writeFileSync(join(folder, "1.log.zst"), bytes);
    const reported: string[] = [];
    const conversion = { source: { places: { actionLogs: folder } }, report: { without: (_what: string, of: string) => reported.push(of) } };
    const lines: string[] = [];
    for await (const part of readTaskLog(conversion as unknown as Conversion, { log_filename: "1.log.zst" })) {
      lines.push(...part.lines.map(([, line]) => line));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { lines, reported };
  };
  const { lines, reported } = await read(whole);
  expect([lines.length, reported]).toEqual([20_000, []]);
  for (let at = 1; at < 40; at += 1) {
    const cut = await read(whole.subarray(0, Math.ceil((whole.length * at) / 40)));
    expect(cut.reported).toEqual(["1.log.zst: unexpected end of file"]);
    expect(cut.lines.slice(0, -1)).toEqual(lines.slice(0, Math.max(0, cut.lines.length - 1)));
  }
  rmSync(folder, { recursive: true });
});
