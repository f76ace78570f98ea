import { expect, test } from "vitest";
import { outdated } from "./main.ts";

test("generated files are what their generators make (npm run generate writes them)", async () => {
  expect(await outdated()).toEqual([]);
});
