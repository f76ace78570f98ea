import type { Actor } from "../../../../access/actor.ts";
import { actionsVisibleTo, visibleTo } from "../store/visible.ts";

/**
 * The repositories that an actor can read, as a condition on the aliases `r` (repositories) and `o` (their owners). Later features pass it to
 * their stores, so that lists across repositories and their counts agree with look-ups.
 */
export const readableRepositories = (actor: Actor): ReturnType<typeof visibleTo> => visibleTo(actor);

/** As {@link readableRepositories}, for runs of workflows. */
export const readableActions = (actor: Actor): ReturnType<typeof actionsVisibleTo> => actionsVisibleTo(actor);
