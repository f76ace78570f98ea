import type { Actor } from "../../../../access/actor.ts";
import { readableUnits as conditions, type ReadableFilter, type ReadableUnits } from "../store/visible.ts";

export type { ReadableFilter, ReadableUnits } from "../store/visible.ts";

/** The repositories whose issues and pull requests a caller can read, for lists across repositories. No statement. */
export const readableUnits = (actor: Actor, filter: ReadableFilter): ReadableUnits => conditions(actor, filter);
