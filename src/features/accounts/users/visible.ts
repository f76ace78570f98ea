import { type Actor, isSiteAdmin, isUser } from "../../../access/actor.ts";
import type { Visibility } from "./model.ts";

/** A filter for the accounts that an actor can see, with the same rule as a single lookup. */
export interface VisibleAccounts {
  readonly visibilities: readonly Visibility[];
  /** The actor, who also sees themselves and the organizations that they belong to; 0 for none. */
  readonly viewerId: number;
}

export function visibleAccounts(actor: Actor): VisibleAccounts {
  if (!isUser(actor)) return { visibilities: ["public"], viewerId: 0 };
  return { visibilities: isSiteAdmin(actor) ? ["public", "limited", "private"] : ["public", "limited"], viewerId: actor.id };
}
