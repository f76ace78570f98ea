import type { UserActor } from "../../../../access/actor.ts";
import type { Unit } from "../../../../access/repository.ts";
import { parseScopes, type ScopeSet } from "../../../../access/scopes.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { hashToken } from "../../../../core/secrets.ts";
import type { Reader } from "../../../../db/db.ts";
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

/** The units that the token of a job reads. Undeclared permissions are `none` as soon as one is declared, as on GitHub. */
export function readableUnits(permissions: Readonly<Record<string, string>> | null): readonly Unit[] {
  if (permissions === null || permissions.all !== undefined) return allUnits as readonly Unit[];
  return Object.entries(permissions).flatMap(([name, level]) => (level === "none" ? [] : (unitsOf[name] ?? [])));
}

/** The token of a task: it follows from the id of the task and the key of the server, so that it is stored nowhere. */
export const jobToken = (sealer: Sealer, taskId: number): string => sealer.sign("action task token", String(taskId)).slice(0, 40);
export const jobTokenHash = (sealer: Sealer, taskId: number): string => hashToken(jobToken(sealer, taskId));

const scopes = parseScopes(["read:repository", "read:issue", "read:package", "read:organization"]) as ScopeSet;

/**
 * The caller that uses the token of a running job. It reads its own repository, as far as the job declares it, and public ones; it has no
 * account, so it writes nothing and sees no list that belongs to a user.
 */
export async function actorByJobToken(deps: { readonly db: Reader }, token: string, isBasic: boolean): Promise<UserActor | undefined> {
  const task = await findTokenTask(deps.db, hashToken(token));
  if (task === undefined) return undefined;
  const units = new Map((JSON.parse(task.rights) as readonly Unit[]).map((unit) => [unit, "read" as const]));
  return {
    kind: "user",
    id: 0,
    name: "gitea-actions",
    fullName: "Gitea Actions",
    email: "",
    hideEmail: true,
    isAdmin: false,
    isRestricted: false,
    credential: { kind: "job", scopes, isBasic, job: { taskId: task.id, repoId: task.repoId, units } },
  };
}
