import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { bundleProgram } from "../../test/kit/program-bundle.ts";
import { runProgram } from "../../test/kit/small-process.ts";

async function run<Result>(name: string): Promise<Result> {
  const program = await runProgram({ file: process.execPath, args: ["--expose-gc", await bundleProgram(name)], cwd: tmpdir(), env: process.env });
  return JSON.parse(String(program.stdout)) as Result;
}

test("an idle process collects the garbage of earlier work and frees other memory, also of work that begins right after a collection", async () => {
  interface Result {
    readonly start: number;
    readonly rests: number;
    readonly times: readonly { readonly grown: number; readonly rested: number }[];
  }
  const { start, times, rests } = await run<Result>("grow-and-rest");
  expect(times).toHaveLength(2);
  expect(rests).toBeGreaterThanOrEqual(2);
  for (const { grown, rested } of times) {
    expect(grown - start).toBeGreaterThan(50 * 1024 * 1024);
    expect(rested - start).toBeLessThan((grown - start) / 2);
  }
});

test("a process under load collects garbage before it takes three times the memory in use", async () => {
  const { live, peak } = await run<Readonly<Record<"live" | "peak", number>>>("grow-under-load");
  expect(peak).toBeLessThan(3 * live);
});
