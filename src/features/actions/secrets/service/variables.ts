import type { UserActor } from "../../../../access/actor.ts";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import { conflict, invalid, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { VariableView } from "../model.ts";
import { deleteVariable, findVariable, insertVariable, listValues, pageVariables, updateVariable } from "../store/variables.ts";
import { checkName, checkValue, knownName, shortenDescription } from "./check.ts";

const unknown = "variable not found";

export interface VariableDeps {
  readonly db: Db;
}

export interface VariableInput {
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

export const listVariables = (deps: { readonly db: Reader }, owner: SettingsOwner, page: Page): Promise<Paged<VariableView>> =>
  pageVariables(deps.db, owner, page);

/** @throws ForgeError `not_found` */
export async function getVariable(deps: { readonly db: Reader }, owner: SettingsOwner, name: string): Promise<VariableView> {
  const found = await findVariable(deps.db, owner, knownName(name, unknown));
  if (found === undefined) throw notFound(unknown);
  return found;
}

/** @throws ForgeError `malformed`, `conflict` */
export async function createVariable(deps: VariableDeps, actor: UserActor, owner: SettingsOwner, input: VariableInput): Promise<void> {
  const checked = check(input);
  await whileFree(input.name, () =>
    deps.db.tx(async (tx) => {
      await insertVariable(tx, owner, checked);
      await recordEvent(tx, "action_variable.created", eventOf(owner, checked.name), contextOf(actor, owner));
    }),
  );
}

/** Replaces a variable, and renames it if the names differ. @throws ForgeError `malformed`, `not_found`, `conflict` */
export async function editVariable(deps: VariableDeps, actor: UserActor, owner: SettingsOwner, given: string, input: VariableInput): Promise<void> {
  const name = knownName(given, unknown);
  const checked = check(input);
  await whileFree(input.name, () =>
    deps.db.tx(async (tx) => {
      if (!(await updateVariable(tx, owner, name, checked))) throw notFound(unknown);
      await recordEvent(tx, "action_variable.updated", eventOf(owner, checked.name), contextOf(actor, owner));
    }),
  );
}

/** Adds or replaces a variable, as forms do. @throws ForgeError `malformed`, `invalid` for an empty value */
export async function putVariable(deps: VariableDeps, actor: UserActor, owner: SettingsOwner, input: VariableInput): Promise<void> {
  const checked = check(input);
  if (checked.value === "") throw invalid("[value]: Required", { reason: "required", field: "value" });
  await deps.db.tx(async (tx) => {
    const isKnown = await updateVariable(tx, owner, checked.name, checked);
    if (!isKnown) await insertVariable(tx, owner, checked);
    await recordEvent(tx, isKnown ? "action_variable.updated" : "action_variable.created", eventOf(owner, checked.name), contextOf(actor, owner));
  });
}

/** @throws ForgeError `not_found` */
export async function removeVariable(deps: VariableDeps, actor: UserActor, owner: SettingsOwner, given: string): Promise<void> {
  const name = knownName(given, unknown);
  await deps.db.tx(async (tx) => {
    if (!(await deleteVariable(tx, owner, name))) throw notFound(unknown);
    await recordEvent(tx, "action_variable.deleted", eventOf(owner, name), contextOf(actor, owner));
  });
}

/** The values of all variables that cover a repository, by name; its own replace those of its owner. One statement. */
export async function variablesOf(deps: { readonly db: Reader }, repoId: number, ownerId: number): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await listValues(deps.db, repoId, ownerId)).map(({ name, value }) => [name, value]));
}

const check = ({ name, value, description }: VariableInput): VariableInput => ({
  name: checkName(name),
  value: checkValue(value),
  description: shortenDescription(description),
});

async function whileFree(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(`variable name ${name} already exists`, { reason: "name_taken", field: "name" });
  }
}

const eventOf = (owner: SettingsOwner, name: string) => ({ ownerName: owner.scope === "server" ? "" : owner.name, name });
const contextOf = (by: UserActor, owner: SettingsOwner) => ({ by, ...(owner.scope === "repository" && { repoId: owner.repoId }) });
