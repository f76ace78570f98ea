import { adoptionCommands } from "./adoption.ts";
import { auditCommands } from "./audit.ts";
import { badgeCommands } from "./badges.ts";
import type { Command } from "./command.ts";
import { emailCommands } from "./emails.ts";
import { organizationCommands } from "./organizations.ts";
import { repositoryCommands } from "./repositories.ts";
import { scheduleCommands } from "./schedules.ts";
import { sourceCommands } from "./sources.ts";
import { trialCommands } from "./trial.ts";
import { userCommands } from "./users.ts";

/** All commands of `hearth admin`, in the order of the help. */
export const adminCommands: readonly Command[] = [
  ...userCommands,
  ...emailCommands,
  ...organizationCommands,
  ...repositoryCommands,
  ...adoptionCommands,
  ...sourceCommands,
  ...badgeCommands,
  ...scheduleCommands,
  ...trialCommands,
  ...auditCommands,
];
