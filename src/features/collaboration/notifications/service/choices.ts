import type { UserActor } from "../../../../access/actor.ts";
import { invalid } from "../../../../core/errors.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { type Channel, type ChoiceKind, type Choices, channels, choiceKinds } from "../reasons.ts";
import { listChoices, replaceChoices } from "../store/choices.ts";

/** How the caller is notified, by kind of reason. One statement. */
export async function getChoices(deps: { readonly db: Reader }, actor: UserActor): Promise<Choices> {
  const chosen = new Map((await listChoices(deps.db, actor.id)).map(({ kind, channel }) => [kind, channel]));
  return Object.fromEntries(choiceKinds.map((kind) => [kind, chosen.get(kind) ?? "both"])) as Record<ChoiceKind, Channel>;
}

/** @throws ForgeError `invalid` for an unknown channel */
export async function saveChoices(deps: { readonly db: Db }, actor: UserActor, choices: Choices): Promise<void> {
  if (choiceKinds.some((kind) => !channels.includes(choices[kind])))
    throw invalid(`each reason has one of these values: ${channels.join(", ")}`, { reason: "choice_required" });
  const different = choiceKinds.filter((kind) => choices[kind] !== "both").map((kind) => [kind, choices[kind]] as const);
  await deps.db.tx((tx) => replaceChoices(tx, actor.id, different));
}
