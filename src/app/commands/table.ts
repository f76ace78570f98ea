import { auditCommands } from "./audit.ts";
import type { Command } from "./command.ts";
import { userCommands } from "./users.ts";

/** Every command of `hearth admin`, in the order of the help. */
export const adminCommands: readonly Command[] = [...userCommands, ...auditCommands];
