import { type Mode, type Unit, units as unitNames } from "../../../access/repository.ts";
import { invalid } from "../../../core/errors.ts";
import type { RightsInput, TeamView } from "./model.ts";

/** A team's rights: administrator of everything, or rights per unit. */
export interface TeamRights {
  readonly mode: "none" | "admin";
  readonly units: ReadonlyMap<Unit, Mode>;
}

const permissions = ["read", "write", "admin"] as const;
type Permission = (typeof permissions)[number];
const unitModes: readonly Mode[] = ["none", "read", "write", "admin"];
const isUnit = (name: string): name is Unit => (unitNames as readonly string[]).includes(name);

/**
 * The rights of a new team. Units without a permission are readable.
 * @compat a team whose units are all unknown has no rights (teams/api/teams.test.ts)
 * @throws ForgeError `invalid` for an unknown right, and for a team without units
 */
export function newRights(input: RightsInput): TeamRights {
  const permission = readPermission(input.permission);
  if (permission === "admin") return { mode: "admin", units: new Map() };
  if (input.unitsMap !== null && !isEmpty(input.unitsMap)) return perUnit(readModes(input.unitsMap));
  const units = unitsIn(input.units ?? [], () => permission ?? "read");
  return input.units !== null && input.units.length > 0 ? { mode: "none", units } : perUnit(units);
}

/**
 * The rights of a team after an edit; undefined if the edit does not change them. A unit without a permission keeps its mode, or is
 * readable if new. A permission without units applies to the team's current units.
 * @throws ForgeError `invalid` as {@link newRights}
 */
export function editedRights(team: Pick<TeamView, "mode" | "units">, input: RightsInput): TeamRights | undefined {
  const permission = readPermission(input.permission);
  if (permission === "admin") return { mode: "admin", units: new Map() };
  if (input.unitsMap !== null && !isEmpty(input.unitsMap)) return perUnit(readModes(input.unitsMap));
  const present = (unit: Unit): Mode | undefined => (team.mode === "none" ? team.units.get(unit) : "admin");
  if (input.units !== null && input.units.length > 0) return perUnit(unitsIn(input.units, (unit) => permission ?? present(unit) ?? "read"));
  if (permission === undefined) return undefined;
  return perUnit(new Map(unitNames.flatMap((unit) => grantOf(unit, present(unit), permission))));
}

/** A unit that the team cannot access stays inaccessible. */
function grantOf(unit: Unit, present: Mode | undefined, permission: Permission): [Unit, Mode][] {
  if (present === undefined) return [];
  return [[unit, present === "none" ? "none" : permission]];
}

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

function readPermission(text: string): Permission | undefined {
  if (text === "") return undefined;
  const permission = permissions.find((one) => one === text);
  if (permission === undefined) throw invalid(`permission ${JSON.stringify(text)} is not one of ${permissions.join(", ")}`);
  return permission;
}

/** @compat Gitea ignores unknown units (teams/rights.test.ts) */
const unitsIn = (names: readonly string[], modeOf: (unit: Unit) => Mode): ReadonlyMap<Unit, Mode> =>
  new Map(names.filter(isUnit).map((unit) => [unit, modeOf(unit)]));

function readModes(map: Readonly<Record<string, string>>): ReadonlyMap<Unit, Mode> {
  const read = new Map<Unit, Mode>();
  for (const [unit, text] of Object.entries(map)) {
    const mode = unitModes.find((one) => one === text);
    if (mode === undefined) throw invalid(`the right ${JSON.stringify(text)} on ${unit} is not one of ${unitModes.join(", ")}`);
    if (isUnit(unit)) read.set(unit, mode);
  }
  return read;
}

function perUnit(units: ReadonlyMap<Unit, Mode>): TeamRights {
  if (units.size === 0) throw invalid("units permission should not be empty", { reason: "unit_required" });
  return { mode: "none", units };
}
