import { expect, test } from "vitest";
import { releasing } from "./detach-buffer.ts";

test("a chunk is valid until the next one is requested, and chunks that share memory are kept", async () => {
  const shared = Buffer.from(new ArrayBuffer(8)).fill("s");
  const given = [Buffer.from(new ArrayBuffer(4)).fill("a"), shared.subarray(2, 6), Buffer.alloc(0), Buffer.from(new ArrayBuffer(2)).fill("b")];
  const seen: string[] = [];
  const source = async function* () {
    yield* given;
  };
  for await (const chunk of releasing(source())) seen.push(chunk.toString());
  expect(seen).toEqual(["aaaa", "ssss", "", "bb"]);
  expect(given.map(({ length }) => length)).toEqual([0, 4, 0, 0]);
  expect(shared.toString()).toBe("ssssssss");
});
