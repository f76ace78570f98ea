import { timingSafeEqual } from "node:crypto";
import type { UserActor } from "../../../../access/actor.ts";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid, notFound, unauthenticated } from "../../../../core/errors.ts";
import { isLongerThan, lengths } from "../../../../core/lengths.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { hashToken, randomToken } from "../../../../core/secrets.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { labelName, type RunnerView, seenEveryMs, toRunner } from "../model.ts";
import { findTokenOwner } from "../store/registration-tokens.ts";
import { deleteEphemeral, deleteRunner, findRunner, findRunnerByUuid, insertRunner, listOwnerNames, pageRunners, updateRunner } from "../store/runners.ts";
import { isImportedToken, isOwnHash } from "./imported-tokens.ts";

export interface RunnerDeps {
  readonly db: Db;
  readonly clock: Clock;
}

type Reading = { readonly db: Reader; readonly clock: Clock };

const maxLabels = 100;

export async function runnersOf({ db, clock }: Reading, owner: SettingsOwner, page: Page, isDisabled?: boolean): Promise<Paged<RunnerView>> {
  const { items, total } = await pageRunners(db, owner, isDisabled, page);
  return { items: items.map((row) => toRunner(row, clock.now())), total };
}

/** The names of the owners of runners, for the list of all runners of the server. */
export const ownersOfRunners = (deps: { readonly db: Reader }, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => listOwnerNames(deps.db, ids);

/** The server has the runners of all owners. @throws ForgeError `not_found`, the same for a runner of another owner as for an unknown id */
export async function getRunner({ db, clock }: Reading, owner: SettingsOwner, id: number): Promise<RunnerView> {
  const row = await findRunner(db, id);
  const isOwn = owner.scope === "server" || (owner.scope === "repository" ? row?.repo_id === owner.repoId : row?.owner_id === owner.ownerId);
  if (row === undefined || !isOwn) throw notFound("Runner not found");
  return toRunner(row, clock.now());
}

/** A disabled runner gets no task. @throws ForgeError `not_found` */
export async function disableRunner(deps: RunnerDeps, actor: UserActor, owner: SettingsOwner, id: number, isDisabled: boolean): Promise<RunnerView> {
  return deps.db.tx(async (tx) => {
    const runner = await getRunner({ ...deps, db: tx }, owner, id);
    if (runner.isDisabled === isDisabled) return runner;
    await updateRunner(tx, id, { is_disabled: isDisabled ? 1 : 0 });
    await recordEvent(tx, "action_runner.updated", { ...eventOf(runner, owner), isDisabled }, contextOf(actor, owner));
    if (!isDisabled) tx.announce("actions", "waiting");
    return { ...runner, isDisabled };
  });
}

/** @throws ForgeError `not_found` */
export async function removeRunner(deps: RunnerDeps, actor: UserActor, owner: SettingsOwner, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const runner = await getRunner({ ...deps, db: tx }, owner, id);
    await deleteRunner(tx, id);
    await recordEvent(tx, "action_runner.deleted", eventOf(runner, owner), contextOf(actor, owner));
  });
}

/** An ephemeral runner ends with its one task. Other runners stay. */
export const endEphemeral = (tx: Tx, id: number): Promise<void> => deleteEphemeral(tx, id);

export interface Registration {
  readonly token: string;
  readonly name: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly isEphemeral: boolean;
}

/** @returns the new runner and its secret, which is not shown again. @throws ForgeError `unauthenticated` for an unknown token, `invalid` */
export async function registerRunner(deps: RunnerDeps, given: Registration): Promise<{ readonly runner: RunnerView; readonly token: string }> {
  const name = given.name.trim();
  if (name === "" || isLongerThan(name, lengths.line)) throw invalid(`the name of a runner has 1 to ${lengths.line} characters`);
  const labels = checkLabels(given.labels);
  const token = randomToken();
  return deps.db.tx(async (tx) => {
    const owner = await findTokenOwner(tx, hashToken(given.token));
    if (owner === undefined) throw unauthenticated("the registration token is unknown or was replaced: get the current one from the settings of the runners");
    const uuid = crypto.randomUUID();
    const version = given.version.slice(0, lengths.line);
    const id = await insertRunner(tx, owner, { uuid, tokenHash: hashToken(token), name, version, labels, isEphemeral: given.isEphemeral });
    const row = await findRunner(tx, id);
    if (row === undefined) throw new Error("an inserted runner exists");
    await recordEvent(
      tx,
      "action_runner.registered",
      { name, ownerName: owner.scope === "server" ? "" : owner.name },
      {
        by: null,
        ...(owner.scope === "repository" && { repoId: owner.repoId }),
      },
    );
    return { runner: toRunner(row, deps.clock.now()), token };
  });
}

/** The labels of its configuration replace those it registered with. */
export async function declareRunner(
  deps: RunnerDeps,
  runner: RunnerView,
  given: { readonly version: string; readonly labels: readonly string[] },
): Promise<RunnerView> {
  const labels = checkLabels(given.labels);
  const version = given.version.slice(0, lengths.line);
  if (version === runner.version && JSON.stringify(labels) === JSON.stringify(runner.labels)) return runner;
  await deps.db.tx((tx) => updateRunner(tx, runner.id, { labels: JSON.stringify(labels), version }));
  return { ...runner, labels, version };
}

/** The runner that calls. One statement, and a write every half minute. The first call of an imported runner replaces its hash. @throws ForgeError `unauthenticated` */
export async function authenticateRunner(deps: RunnerDeps, uuid: string, token: string): Promise<RunnerView> {
  const row = uuid === "" || uuid.length > lengths.line ? undefined : await findRunnerByUuid(deps.db, uuid);
  const own = hashToken(token);
  const isImported = row !== undefined && !isOwnHash(row.token_hash);
  const isRight =
    row !== undefined && (isImported ? await isImportedToken(row.token_hash, token) : timingSafeEqual(Buffer.from(row.token_hash), Buffer.from(own)));
  if (!isRight) throw unauthenticated("this runner is not registered: its registration was deleted, or its token is wrong");
  const nowMs = deps.clock.now();
  const changes = { seen_ms: nowMs, ...(isImported && { token_hash: own }) };
  if (isImported || row.seen_ms <= nowMs - seenEveryMs) await deps.db.tx((tx) => updateRunner(tx, row.id, changes));
  return toRunner(row, nowMs);
}

/** Whether a runner that has authenticated before may still get tasks, in the transaction that hands one out. */
export async function mayGetTask(tx: Tx, id: number): Promise<boolean> {
  const row = await findRunner(tx, id);
  return row !== undefined && row.is_disabled === 0;
}

/** Lets the claims of a runner follow one another: a later transaction sees the task of an earlier one. */
export const holdRunner = (tx: Tx, id: number): Promise<void> => updateRunner(tx, id, { seen_ms: tx.nowMs });

/** Notes that a runner reports on a task, in the transaction of the report. */
export const noteActive = (tx: Tx, id: number, nowMs: number): Promise<void> => updateRunner(tx, id, { active_ms: nowMs, seen_ms: nowMs });

function checkLabels(given: readonly string[]): readonly string[] {
  const labels = [...new Set(given.map(labelName).filter((label) => label !== ""))];
  if (labels.length > maxLabels || labels.some((label) => isLongerThan(label, lengths.line))) {
    throw invalid(`a runner has at most ${maxLabels} labels of at most ${lengths.line} characters`);
  }
  return labels;
}

const eventOf = ({ name }: RunnerView, owner: SettingsOwner) => ({ name, ownerName: owner.scope === "server" ? "" : owner.name });
const contextOf = (by: UserActor, owner: SettingsOwner) => ({ by, ...(owner.scope === "repository" && { repoId: owner.repoId }) });
