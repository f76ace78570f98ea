import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { bundleProgram } from "../../test/kit/program-bundle.ts";
import { runProgram } from "../../test/kit/small-process.ts";

async function run<Figure extends string>(name: string): Promise<Readonly<Record<Figure, number>>> {
  const program = await runProgram({ file: process.execPath, args: ["--expose-gc", await bundleProgram(name)], cwd: tmpdir(), env: process.env });
  return JSON.parse(String(program.stdout)) as Record<Figure, number>;
}

test("an idle process collects the garbage of earlier work", async () => {
  const { start, grown, rested } = await run<"start" | "grown" | "rested">("grow-and-rest");
  expect(grown - start).toBeGreaterThan(50 * 1024 * 1024);
  expect(rested - start).toBeLessThan((grown - start) / 2);
});

test("a process under load collects garbage before it takes three times the memory in use", async () => {
  const { live, peak } = await run<"live" | "peak">("grow-under-load");
  expect(peak).toBeLessThan(3 * live);
});
