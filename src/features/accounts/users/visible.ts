import { type Actor, isSiteAdmin, isUser } from "../../../access/actor.ts";
import type { Visibility } from "./model.ts";

/** Which accounts a list shows to an actor: the same judgement as looking one up. */
export interface VisibleAccounts {
  readonly visibilities: readonly Visibility[];
  /** Shown whatever its visibility, with the organizations that it is a member of: the actor himself; 0 for none. */
  readonly viewerId: number;
}

export function visibleAccounts(actor: Actor): VisibleAccounts {
  if (!isUser(actor)) return { visibilities: ["public"], viewerId: 0 };
  return { visibilities: isSiteAdmin(actor) ? ["public", "limited", "private"] : ["public", "limited"], viewerId: actor.id };
}
