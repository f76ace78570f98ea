import type { Static } from "typebox";
import { field, nullable, option, record, text, usually } from "./schema.ts";
import { User } from "./user.ts";

export const RepoCollaboratorPermission = record("RepoCollaboratorPermission", {
  permission: text(),
  role_name: text(),
  user: nullable(User),
});
export type RepoCollaboratorPermission = Static<typeof RepoCollaboratorPermission>;

export const AddCollaboratorOption = option("AddCollaboratorOption", {
  permission: field("Permission", nullable(usually("read", "write", "admin"))),
});
export type AddCollaboratorOption = Static<typeof AddCollaboratorOption>;
