import { describe, expect, test } from "vitest";
import { type Mode, type Unit, units } from "../../../access/repository.ts";
import { editedRights, newRights } from "./rights.ts";

const inputOf = (given: object) => ({ permission: "", units: null, unitsMap: null, ...given });
const plain = (rights: ReturnType<typeof editedRights>) => rights && { mode: rights.mode, units: Object.fromEntries(rights.units) };
const team = (granted: Partial<Record<Unit, Mode>>) => ({ mode: "none" as const, units: new Map(Object.entries(granted) as [Unit, Mode][]) });
const administrators = { mode: "admin" as const, units: new Map<Unit, Mode>() };

describe("the rights of a new team", () => {
  test.each([
    [{ permission: "admin" }, { mode: "admin", units: {} }],
    [
      { permission: "admin", units: ["repo.code"] },
      { mode: "admin", units: {} },
    ],
    [
      { permission: "write", units: ["repo.code", "repo.nothing"] },
      { mode: "none", units: { "repo.code": "write" } },
    ],
    [{ units: ["repo.code"] }, { mode: "none", units: { "repo.code": "read" } }],
    [
      { permission: "read", unitsMap: { "repo.code": "write", "repo.wiki": "none", __proto__: "read" } },
      { mode: "none", units: { "repo.code": "write", "repo.wiki": "none" } },
    ],
    [
      { permission: "write", units: ["repo.issues"], unitsMap: { "repo.code": "read" } },
      { mode: "none", units: { "repo.code": "read" } },
    ],
  ])("%j", (given, wanted) => expect(plain(newRights(inputOf(given)))).toEqual(wanted));

  test.each([
    [{}],
    [{ permission: "read" }],
    [{ permission: "owner", units: ["repo.code"] }],
    [{ permission: "read", units: [] }],
    [{ unitsMap: { "repo.code": "owner" } }],
    [{ unitsMap: { "repo.code": "toString" } }],
  ])("rejects %j", (given) => expect(() => newRights(inputOf(given))).toThrow());
});

describe("the rights of a team after an edit", () => {
  const some = team({ "repo.code": "write", "repo.wiki": "none" });
  test.each([
    ["nothing said", some, {}, undefined],
    ["no units", some, { units: [], unitsMap: {} }, undefined],
    ["a permission alone", some, { permission: "read" }, { mode: "none", units: { "repo.code": "read", "repo.wiki": "none" } }],
    ["units alone", some, { units: ["repo.code", "repo.issues"] }, { mode: "none", units: { "repo.code": "write", "repo.issues": "read" } }],
    ["both", some, { permission: "write", units: ["repo.issues"] }, { mode: "none", units: { "repo.issues": "write" } }],
    ["a map", some, { unitsMap: { "repo.pulls": "read" } }, { mode: "none", units: { "repo.pulls": "read" } }],
    ["made administrators", some, { permission: "admin" }, { mode: "admin", units: {} }],
    ["no longer administrators", administrators, { permission: "read" }, { mode: "none", units: Object.fromEntries(units.map((unit) => [unit, "read"])) }],
    ["administrators of one unit", administrators, { units: ["repo.code"] }, { mode: "none", units: { "repo.code": "admin" } }],
  ])("%s", (_name, present, given, wanted) => expect(plain(editedRights(present, inputOf(given)))).toEqual(wanted));
});
