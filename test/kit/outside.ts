import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

/** A folder that nothing of the server may write to. Attacks name files in it; other programs of the machine do not know it. */
export const outsideFolder = mkdtempSync(join(tmpdir(), "hearth-outside-"));

export const expectNothingOutside = (): void => expect(readdirSync(outsideFolder)).toEqual([]);
