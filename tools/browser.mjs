import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { installPackages, isInstalled, Refusal, root } from "./install.mjs";

// The browser of the tests: a package of its own, so that whoever only starts Hearth does not wait for it.

const folder = join(root, "test/kit/chromium");
const packed = join(folder, "node_modules/@sparticuz/chromium/bin/chromium.br");
const unpacked = join(folder, "node_modules/chromium-unpacked");

/** The platforms that the package holds a program for. */
const isSupported = process.platform === "linux" && process.arch === "x64";

/**
 * The browser that tests start: the one that the environment names, else the installed one.
 * @returns {string | undefined} undefined where there is none
 */
export function findBrowser() {
  const named = process.env.HEARTH_TEST_BROWSER;
  if (named !== undefined) return named;
  return existsSync(unpacked) ? unpacked : undefined;
}

/** Installs the browser where it is missing. Where it cannot be had, a line says so, and the tests that need it are skipped. */
export async function ensureBrowser() {
  if (process.env.HEARTH_TEST_BROWSER !== undefined || !isSupported) return;
  try {
    if (!isInstalled(folder)) {
      process.stderr.write("hearth: installing the browser of the tests (this happens once)\n");
      await installPackages(folder);
    }
    // npm has emptied the folder when it installed anew.
    if (!existsSync(unpacked)) await unpack();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`hearth: tests in a browser are skipped: ${error.message}\n`);
  }
}

/** Others may be at it too: whoever is first is as good as any. */
async function unpack() {
  const fresh = `${unpacked}.${process.pid}`;
  try {
    await pipeline(createReadStream(packed), createBrotliDecompress({ chunkSize: 1 << 21 }), createWriteStream(fresh, { mode: 0o755 }));
    await rename(fresh, unpacked);
  } finally {
    await rm(fresh, { force: true });
  }
}
