import { type Actor, isSiteAdmin, isUser, type JobGrant, jobOf, limitOf, seesPrivate } from "./actor.ts";

export const units = [
  "repo.code",
  "repo.issues",
  "repo.pulls",
  "repo.releases",
  "repo.wiki",
  "repo.projects",
  "repo.packages",
  "repo.actions",
  "repo.ext_issues",
  "repo.ext_wiki",
] as const;
export type Unit = (typeof units)[number];
export type Mode = "none" | "read" | "write" | "admin" | "owner";

const order: Record<Mode, number> = { none: 0, read: 1, write: 2, admin: 3, owner: 4 };
export const atLeast = (mode: Mode, wanted: Mode): boolean => order[mode] >= order[wanted];
export const higherMode = (a: Mode, b: Mode): Mode => (order[a] >= order[b] ? a : b);

/** Write access to issues or pull requests includes labels and milestones, which belong to both. */
export const plannedUnits = ["repo.issues", "repo.pulls"] as const satisfies readonly Unit[];

/** Input for evaluating an actor's right on a repository, loaded in one statement. */
export interface RepositoryRightInput {
  readonly id: number;
  readonly ownerId: number;
  readonly ownerVisibility: "public" | "limited" | "private";
  readonly isPrivate: boolean;
  /** The actor's mode as a collaborator; `none` if they are not one. */
  readonly collaboratorMode: Mode;
  /** The highest mode over the actor's teams that have the repository: `owner` and `admin` apply to every unit. */
  readonly teamMode: Mode;
  /** Per-unit grants of those teams. */
  readonly teamUnits: ReadonlyMap<Unit, Mode>;
  /** The actor is a member of the owning organization. */
  readonly isOrgMember: boolean;
  readonly enabledUnits: ReadonlySet<Unit>;
}

/** An actor's right on one repository. */
export interface RepositoryRight {
  /** Right on the repository as a whole: the highest over its units. */
  readonly mode: Mode;
  unit(unit: Unit): Mode;
  /**
   * The mode on a unit granted as owner, collaborator, team member or site administrator: `none` for other readers of a public repository.
   */
  granted(unit: Unit): Mode;
}

export const writesAny = (right: RepositoryRight, wanted: readonly Unit[]): boolean => wanted.some((unit) => atLeast(right.unit(unit), "write"));

/**
 * Evaluates an actor's right. Pure.
 * A public repository of a visible owner is readable by everyone except restricted users; a private one only with an explicit grant.
 */
export function evaluateRepositoryRight(actor: Actor, input: RepositoryRightInput): RepositoryRight {
  if (actor.kind === "deploy-key") {
    const mode = actor.grants.get(input.id)?.mode ?? "none";
    const unitMode = (unit: Unit): Mode => (unit === "repo.code" && input.enabledUnits.has(unit) ? mode : "none");
    return { mode, unit: unitMode, granted: unitMode };
  }
  const job = jobOf(actor);
  if (job !== undefined) return evaluateJobRight(job, input);
  const limit = limitOf(actor);
  if (limit !== undefined && !limit.repositoryIds.has(input.id)) return noRight;
  const hidden = input.isPrivate || input.ownerVisibility === "private" || (input.ownerVisibility === "limited" && !isUser(actor));
  if (isUser(actor) && !seesPrivate(actor) && (input.isPrivate || input.ownerVisibility === "private")) return noRight;

  let base: Mode = "none";
  if (isUser(actor)) {
    if (isSiteAdmin(actor) || actor.id === input.ownerId) base = "owner";
    else base = higherMode(input.collaboratorMode, input.teamMode === "owner" || input.teamMode === "admin" ? input.teamMode : "none");
  }
  const isReadable = !hidden && !(isUser(actor) && actor.isRestricted);
  const isReadableByMembership = !input.isPrivate && input.isOrgMember;
  const floor: Mode = isReadable || isReadableByMembership ? "read" : "none";

  const granted = (unit: Unit): Mode => (input.enabledUnits.has(unit) ? higherMode(base, input.teamUnits.get(unit) ?? "none") : "none");
  const unitMode = (unit: Unit): Mode => (input.enabledUnits.has(unit) ? higherMode(granted(unit), floor) : "none");
  let mode = higherMode(base, floor);
  // A grant on a disabled unit still makes the repository visible.
  for (const [unit, granted] of input.teamUnits) if (granted !== "none") mode = higherMode(mode, input.enabledUnits.has(unit) ? granted : "read");
  return { mode, unit: unitMode, granted };
}

/** The declared rights on its own repository, and what anonymous callers may read of others. */
function evaluateJobRight({ repoId, units: granted }: JobGrant, input: RepositoryRightInput): RepositoryRight {
  const isOwn = input.id === repoId;
  if (!isOwn && (input.isPrivate || input.ownerVisibility !== "public")) return noRight;
  const unitMode = (unit: Unit): Mode => (input.enabledUnits.has(unit) ? (isOwn ? (granted.get(unit) ?? "none") : "read") : "none");
  const mode = isOwn && [...granted.values()].includes("write") ? "write" : "read";
  return { mode, unit: unitMode, granted: (unit) => (isOwn ? unitMode(unit) : "none") };
}

const noRight: RepositoryRight = { mode: "none", unit: () => "none", granted: () => "none" };
