import type { UserActor } from "../../../../access/actor.ts";
import type { Unit } from "../../../../access/repository.ts";
import { parseScopes, type ScopeSet } from "../../../../access/scopes.ts";
import { jobAccount } from "../../../../access/system-account.ts";
import type { Config } from "../../../../config/config.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { hashToken } from "../../../../core/secrets.ts";
import type { Reader } from "../../../../db/db.ts";
import type { Permissions } from "../language/workflow.ts";
import { findTokenTask } from "../store/tasks.ts";

/** The units of a repository that each permission of a workflow file covers. */
const unitsOf: Readonly<Record<string, readonly Unit[]>> = {
  actions: ["repo.actions"],
  contents: ["repo.code", "repo.releases", "repo.wiki"],
  issues: ["repo.issues"],
  packages: ["repo.packages"],
  "pull-requests": ["repo.pulls"],
};

const allUnits = [...new Set(Object.values(unitsOf).flat()), "repo.projects"] as const;

type Level = "read" | "write";

/** The permissions of a job that declares none. */
export const undeclaredPermissions = ({ config }: { readonly config: Pick<Config, "actions"> }): Permissions => ({
  all: config.actions.token_permissions as Level,
});

/**
 * The units that the token of a job reads or writes. Undeclared ones are `none` as soon as one is declared, as on GitHub. Code of a fork never
 * writes.
 */
export function grantedUnits(permissions: Readonly<Record<string, string>>, isFromFork: boolean): Readonly<Partial<Record<Unit, Level>>> {
  const { all, ...declared } = permissions;
  const given = all === undefined ? Object.entries(declared).flatMap(([name, level]) => (unitsOf[name] ?? []).map((unit) => [unit, level] as const)) : [];
  const granted = all === undefined ? given : allUnits.map((unit) => [unit, all] as const);
  return Object.fromEntries(granted.flatMap(([unit, level]) => (level === "none" ? [] : [[unit, level === "write" && !isFromFork ? "write" : "read"]])));
}

/** The token of a task: it follows from the id of the task and the key of the server, so that it is stored nowhere. */
export const jobToken = (sealer: Sealer, taskId: number): string => sealer.sign("action task token", String(taskId)).slice(0, 40);
export const jobTokenHash = (sealer: Sealer, taskId: number): string => hashToken(jobToken(sealer, taskId));

const scopes = parseScopes(["write:repository", "write:issue", "read:package", "read:organization"]) as ScopeSet;

/** The rights that a task was given. Tasks of former versions have a list of units that they read. */
function readRights(text: string): ReadonlyMap<string, Level> {
  const rights: unknown = JSON.parse(text);
  return new Map(Array.isArray(rights) ? (rights as Unit[]).map((unit) => [unit, "read"]) : Object.entries(rights as Readonly<Record<Unit, Level>>));
}

/** The caller that uses the token of a running job: it has the declared rights on its own repository, and reads public ones. */
export async function actorByJobToken(deps: { readonly db: Reader }, token: string, isBasic: boolean): Promise<UserActor | undefined> {
  const task = await findTokenTask(deps.db, hashToken(token));
  if (task === undefined) return undefined;
  return {
    ...jobAccount,
    kind: "user",
    email: "",
    hideEmail: true,
    isAdmin: false,
    isRestricted: false,
    credential: { kind: "job", scopes, isBasic, job: { taskId: task.id, repoId: task.repoId, units: readRights(task.rights) } },
  };
}
