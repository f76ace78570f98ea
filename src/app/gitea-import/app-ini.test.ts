import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError } from "../../config/config.ts";
import { readPlaces } from "./app-ini.ts";

describe("places in app.ini", () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-ini-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const places = (lines: string) => {
    const path = join(folder, "app.ini");
    writeFileSync(path, `WORK_PATH = /srv\n[database]\nDB_TYPE = sqlite3\n${lines}\n`);
    return readPlaces(path);
  };

  test("logs and artifacts of Actions are in the folders that Gitea uses for each setting", () => {
    const of = (lines: string) => {
      const { actionLogs, artifacts } = places(lines);
      return [actionLogs, artifacts];
    };
    expect(of("")).toEqual(["/srv/data/actions_log", "/srv/data/actions_artifacts"]);
    expect(of("[storage]\nPATH = /files")).toEqual(["/files/actions_log", "/files/actions_artifacts"]);
    expect(of("[storage]\nPATH = files")).toEqual(["/srv/data/files/actions_log", "/srv/data/files/actions_artifacts"]);
    expect(of("[storage.actions_log]\nPATH = /logs\n[actions.artifacts]\nPATH = /made")).toEqual(["/logs", "/made"]);
    expect(of("[storage.actions_artifacts]\nPATH = made")).toEqual(["/srv/data/actions_log", "/srv/data/made"]);
    expect(of("[storage]\nPATH = /files\n[actions.artifacts]\nPATH = made")).toEqual(["/files/actions_log", "/files/made"]);
    expect(of("[storage]\nPATH = /files\n[storage.actions_artifacts]\nPATH = made")).toEqual(["/files/actions_log", "/srv/data/made"]);
    // Gitea reads neither of them for files.
    expect(of("[actions]\nPATH = /other\n[actions_log]\nPATH = /other")).toEqual(["/srv/data/actions_log", "/srv/data/actions_artifacts"]);
  });

  test("files in a bucket are refused with the section", () => {
    expect(() => places("[actions.artifacts]\nSTORAGE_TYPE = minio")).toThrow(
      new ConfigError("app.ini: the files of [actions.artifacts] are in minio storage: copy them to a folder, and name it with --data"),
    );
    expect(() => places("[storage.actions_log]\nSTORAGE_TYPE = minio")).toThrow("actions_log");
  });
});
