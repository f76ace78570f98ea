import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { allSettings, defaultConfigFile, loadConfig } from "./config.ts";

const file = (name: string, text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), "hearth-config-")), name);
  writeFileSync(path, text);
  return path;
};

test("every setting has a default that passes its own validation", () => {
  const config = loadConfig({});
  expect(config.server).toMatchObject({ host: "127.0.0.1", port: 3000 });
  expect(Object.isFrozen(config)).toBe(true);
});

test("the environment overrides the file, and the file overrides the default", () => {
  const path = file("hearth.toml", '[server]\nport = 4000\nhost = "::1"\n[log]\nlevel = "warn"\n');
  expect(loadConfig({ HEARTH_CONFIG: path, HEARTH_PORT: "5000" })).toMatchObject({ server: { port: 5000, host: "::1" }, log: { level: "warn" } });
});

test("JSON files are supported", () => {
  expect(loadConfig({ HEARTH_CONFIG: file("hearth.json", '{"server":{"trusted_proxies":["10.0.0.1"]}}') }).server.trusted_proxies).toEqual(["10.0.0.1"]);
});

test("the printed default configuration equals the defaults", () => {
  const path = file("hearth.toml", defaultConfigFile());
  const { origins, ...fromFile } = loadConfig({ HEARTH_CONFIG: path });
  const { origins: none, ...byDefault } = loadConfig({});
  expect(fromFile).toEqual(byDefault);
  expect([new Set(origins.values()), none.size]).toEqual([new Set(["file"]), 0]);
  const printed = parse(defaultConfigFile()) as Record<string, Record<string, unknown>>;
  for (const { section, name } of allSettings()) expect(printed[section]).toHaveProperty(name);
});

describe("an invalid value is reported in one line that names the setting", () => {
  test.each([
    [{ HEARTH_PORT: "x" }, 'HEARTH_PORT must be an integer, not "x"'],
    [{ HEARTH_PORT: "70000" }, "HEARTH_PORT must be between 0 and 65535"],
    [{ HEARTH_ADMIN_TOKEN: "abc" }, "HEARTH_ADMIN_TOKEN must be 40 lower-case hex digits"],
    [{ HEARTH_LOG_LEVEL: "loud" }, "HEARTH_LOG_LEVEL must be one of"],
    [{ HEARTH_METRICS: "yes" }, "HEARTH_METRICS must be true or false"],
    [{ HEARTH_ROOT_URL: "ftp://x" }, "HEARTH_ROOT_URL must be an http or https URL"],
    [{ HEARTH_ROOT_URL: "https://x/forge" }, "HEARTH_ROOT_URL must not contain a path"],
    [{ HEARTH_SERVER_TRUSTED_PROXIES: "10.0.0.1,everywhere" }, "HEARTH_SERVER_TRUSTED_PROXIES must list addresses, networks such as 10.0.0.0/8"],
    [{ HEARTH_CONFIG: "/nonexistent.toml" }, "cannot be read (ENOENT)"],
  ])("%j", (environment, message) => expect(() => loadConfig(environment)).toThrow(message));

  test.each([
    ["[server]\nprot = 1\n", "unknown setting server.prot"],
    ["port = 1\n", "port must be a section"],
    ['[server]\nport = "x"\n', "server.port must be an integer"],
    ["[server\n", "hearth.toml:"],
  ])("file %j", (text, message) => expect(() => loadConfig({ HEARTH_CONFIG: file("hearth.toml", text) })).toThrow(message));
});

test("values set by the operator are distinguished from defaults", () => {
  const path = file("chosen.toml", "[ssh]\nport = 2222\ndomain = 'ssh.example.org'\n");
  expect([...loadConfig({ HEARTH_CONFIG: path }).chosen]).toEqual(["ssh.domain"]);
  expect([...loadConfig({ HEARTH_SSH_PORT: "2222", HEARTH_SSH_HOST: "" }).chosen]).toEqual(["ssh.port"]);
});
