import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { ensureForTests, root } from "./install.mjs";

const folder = join(root, "test/kit/chromium");
const packed = join(folder, "node_modules/@sparticuz/chromium/bin/chromium.br");
const unpacked = join(folder, "node_modules/chromium-unpacked");

/** The platforms for which the package has a binary. */
const isSupported = process.platform === "linux" && process.arch === "x64";

/** The browser for tests: the one named by the environment, or the installed one. @returns {string | undefined} undefined if there is none */
export function findBrowser() {
  const named = process.env.HEARTH_TEST_BROWSER;
  if (named !== undefined) return named;
  return existsSync(unpacked) ? unpacked : undefined;
}

/** Installs the browser if it is missing. */
export async function ensureBrowser() {
  if (process.env.HEARTH_TEST_BROWSER !== undefined || !isSupported) return;
  // A new npm install has emptied the folder.
  if ((await ensureForTests(folder, "a browser")) && !existsSync(unpacked)) await unpack();
}

/** Another process may install it at the same time; either result is valid. */
async function unpack() {
  const fresh = `${unpacked}.${process.pid}`;
  try {
    await pipeline(createReadStream(packed), createBrotliDecompress({ chunkSize: 1 << 21 }), createWriteStream(fresh, { mode: 0o755 }));
    await rename(fresh, unpacked);
  } finally {
    await rm(fresh, { force: true });
  }
}
