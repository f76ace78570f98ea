import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundleProgram } from "../../test/kit/program-bundle.ts";

test("an idle process collects the garbage of earlier work", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [await bundleProgram("grow-and-rest")]);
  const { start, grown, rested } = JSON.parse(stdout) as Record<"start" | "grown" | "rested", number>;
  expect(grown - start).toBeGreaterThan(50 * 1024 * 1024);
  expect(rested - start).toBeLessThan((grown - start) / 2);
});
