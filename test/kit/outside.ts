import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

/** A folder that the server must not write to. Attacks name files in it; other programs of the machine do not use it. */
export const outsideFolder = mkdtempSync(join(tmpdir(), "hearth-outside-"));

export const expectNothingOutside = (): void => expect(readdirSync(outsideFolder)).toEqual([]);
