import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { hasToolkit } from "../../tools/toolkit.mjs";

/** A program that calls the official toolkit, for `run` steps: `node "$TOOLKIT" upload NAME FILE`. */
export const toolkitPath = fileURLToPath(new URL("toolkit/toolkit.mjs", import.meta.url));

/** Declares a test whose jobs call the toolkit. Without the toolkit it is skipped, with the reason in its name; if `CI` is set it fails. */
export function testWithToolkit(title: string, body: () => Promise<void>): void {
  const isSkipped = !hasToolkit() && !process.env.CI;
  test.skipIf(isSkipped)(isSkipped ? `${title} (skipped: the toolkit is not installed; npm test installs it)` : title, body);
}
