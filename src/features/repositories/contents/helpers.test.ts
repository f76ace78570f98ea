import { describe, expect, test } from "vitest";
import { countTurnsOf } from "../../../../test/kit/turns.ts";
import { decodeBase64 } from "./base64.ts";
import { commitMessage, defaultMessage } from "./file-change.ts";
import { readSubmodules } from "./gitmodules.ts";
import { readNotebook } from "./notebook.ts";
import { hasMoreLines, isText } from "./text-detection.ts";

describe("base64", () => {
  test("data of any length survives encoding and decoding", async () => {
    for (let length = 0; length < 200; length++) {
      const data = Buffer.from(Array.from({ length }, (_, n) => (n * 7) % 256));
      expect((await decodeBase64(data.toString("base64"))).equals(data)).toBe(true);
    }
  });

  test("long texts are decoded in turns of the event loop, with and without line breaks", async () => {
    for (const length of [3_000_000, 3_000_001, 3_000_002]) {
      const data = Buffer.alloc(length, "some bytes, ");
      const text = data.toString("base64");
      const broken = `${text.replace(/.{76}/g, "$&\r\n")}\n`;
      expect([(await decodeBase64(text)).equals(data), (await decodeBase64(broken)).equals(data)]).toEqual([true, true]);
    }
    expect(await countTurnsOf(() => decodeBase64("A".repeat(4_000_000)))).toBeGreaterThanOrEqual(3);
  });

  test.each([
    ["AA==", "A".repeat(2_000_000), 2],
    ["A".repeat(1_500_000), "!AAA", 1_500_000],
    ["A".repeat(1_048_576), "=AAA", 1_048_576],
    ["A".repeat(2_000_000), "AA", 2_000_000],
  ])("a long text is rejected at the first wrong byte (%#)", async (start, end, at) =>
    expect(decodeBase64(start + end)).rejects.toThrow(`illegal base64 data at input byte ${at}`),
  );

  test.each([
    ["!", 0],
    ["aaa", 0],
    ["aa==aa==", 2],
    ["a===", 1],
    ["aaaa=", 4],
    ["_-__", 0],
    ["aa a", 2],
    ["ééé=", 0],
  ])("%j is rejected at byte %d", (text, at) => expect(decodeBase64(text)).rejects.toThrow(`illegal base64 data at input byte ${at}`));
});

test("text is UTF-8 without control characters, even if the probe ends within a character", () => {
  for (const text of ["", "a\tb\r\n\f\u001b[0m", "é✓\u{1f600}", `${"x".repeat(1023)}é`, `${"x".repeat(1021)}\u{1f600}tail`])
    expect(isText(Buffer.from(text))).toBe(true);
  for (const bytes of [[0], [0xff, 0xfe, 0x41], [0x61, 0xe9], [0x61, 0xc3], [0x08], [0x0b], [0x1a], [0x1f]]) expect(isText(Buffer.from(bytes))).toBe(false);
  expect(isText(Buffer.concat([Buffer.alloc(1024, "x"), Buffer.from([0])]))).toBe(true);
});

test("reads submodules from .gitmodules as git does", () => {
  const text = [
    '[submodule "one"]',
    "\tpath = lib/one",
    "\turl = ../one.git # beside",
    '[submodule "two"] ; odd',
    '  URL = "https://example.com/a#b.git"',
    "path=two",
    "# path = none",
    '[submodule "no url"]',
    "path = three",
    "[other]",
    'url = a\\"b',
    "nonsense",
  ].join("\n");
  expect([...readSubmodules(text)]).toEqual([
    ["lib/one", "../one.git"],
    ["two", "https://example.com/a#b.git"],
  ]);
  expect(readSubmodules("").size).toBe(0);
});

test("the URLs of submodules are read from files of up to 256 KiB", () => {
  const many = (count: number): string => Array.from({ length: count }, (_, at) => `[submodule "${at}"]\npath = p${at}\nurl = ${"u".repeat(20)}`).join("\n");
  expect([readSubmodules(many(4_000)).size, readSubmodules(many(8_000)).size]).toEqual([4_000, 0]);
});

test("default commit messages and sign-offs", () => {
  const change = (operation: string, path: string) => ({ operation, path });
  expect(defaultMessage([change("create", "a"), change("delete", "d"), change("create", "b"), change("rename", "c"), change("upload", "e")])).toBe(
    "Add a, b\nUpdate c, e\nDelete d",
  );
  expect(defaultMessage([])).toBe("");
  expect(commitMessage("  one\n\ntwo\n\n", undefined)).toBe("one\n\ntwo\n");
  expect(commitMessage("", undefined)).toBe("\n");
  expect(commitMessage("x\n", { name: "A <B>", email: "a@b.org" })).toBe("x\n\nSigned-off-by: A B <a@b.org>");
});

describe("many lines", () => {
  test("counts lines up to a limit, without the empty line after the last line break", () => {
    expect(["", "a", "a\n", "a\nb", "a\nb\n", "a\nb\nc", "\n\n\n"].map((text) => hasMoreLines(Buffer.from(text), 2))).toEqual([
      ...[false, false, false, false, false],
      ...[true, true],
    ]);
  });
});

test("a notebook with too many values is shown as text", () => {
  const notebook = (lists: number): Buffer => Buffer.from(`{"nbformat":4,"cells":[],"unknown":[${"[],".repeat(lists)}1]}`);
  expect(readNotebook(notebook(100_000))).toMatchObject({ cells: [] });
  expect(readNotebook(notebook(250_000))).toBeUndefined();
});
