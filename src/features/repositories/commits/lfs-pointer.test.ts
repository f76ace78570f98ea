import { expect, test } from "vitest";
import { readLfsPointer } from "./lfs-pointer.ts";

const oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
const pointer = (...lines: string[]) => readLfsPointer(Buffer.from(`${lines.join("\n")}\n`));
const version = "version https://git-lfs.github.com/spec/v1";

test("reads the digest and the size of a pointer", () => {
  expect(pointer(version, `oid sha256:${oid}`, "size 12345")).toEqual({ oid, sizeBytes: 12345 });
  expect(pointer(version, "ext-0-foo sha256:aa", `oid sha256:${oid}`, "size 0")).toEqual({ oid, sizeBytes: 0 });
});

test.each([
  ["another version", ["version https://example.com/v1", `oid sha256:${oid}`, "size 1"]],
  ["no size", [version, `oid sha256:${oid}`]],
  ["a negative size", [version, `oid sha256:${oid}`, "size -1"]],
  ["a size that no number holds", [version, `oid sha256:${oid}`, "size 9999999999999999"]],
  ["another digest", [version, "oid md5:aa", "size 1"]],
  ["text before it", ["hello", version, `oid sha256:${oid}`, "size 1"]],
  ["too much text", [version, `oid sha256:${oid}`, "size 1", "x".repeat(1024)]],
])("a file with %s is not a pointer", (_what, lines) => expect(pointer(...lines)).toBeUndefined());
