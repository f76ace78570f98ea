import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ConfigError, loadConfig } from "../config/config.ts";
import { loadSecretKey } from "./secret-key.ts";

const folder = mkdtempSync(join(tmpdir(), "hearth-key-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("creates the key once, readable only by the server's user, and reuses it", () => {
  const config = loadConfig({ HEARTH_DATA: folder });
  const key = loadSecretKey(config);
  expect(key).toHaveLength(32);
  expect(loadSecretKey(config)).toEqual(key);
  expect(readdirSync(folder)).toEqual(["secret.key"]);
  expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600);
});

test("prefers a configured key to the file", () => {
  const given = "ab".repeat(32);
  expect(loadSecretKey(loadConfig({ HEARTH_DATA: folder, HEARTH_SECRET_KEY: given })).toString("hex")).toBe(given);
  expect(() => loadConfig({ HEARTH_SECRET_KEY: "abc" })).toThrow("HEARTH_SECRET_KEY must be 64 lower-case hex digits");
});

test("reports a damaged file or a missing folder and does not overwrite it", () => {
  const damaged = mkdtempSync(join(folder, "damaged-"));
  writeFileSync(join(damaged, "secret.key"), "abc\n");
  expect(() => loadSecretKey(loadConfig({ HEARTH_DATA: damaged }))).toThrow(ConfigError);
  expect(() => loadSecretKey(loadConfig({ HEARTH_DATA: join(folder, "missing") }))).toThrow(ConfigError);
});
