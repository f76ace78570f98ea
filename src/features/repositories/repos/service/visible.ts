import type { Actor } from "../../../../access/actor.ts";
import { visibleTo } from "../store/visible.ts";

/**
 * The repositories that an actor can read, as a condition on the aliases `r` (repositories) and `o` (their owners): for the stores of later
 * features, whose services hand it to them, so that lists of what is in repositories and their counts agree with look-ups.
 */
export const readableRepositories = (actor: Actor): ReturnType<typeof visibleTo> => visibleTo(actor);
