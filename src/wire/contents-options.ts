import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { bool, email, expected, field, list, nullable, option, text, time, usually } from "./schema.ts";

/** An author or committer given by the caller; empty fields default to the caller. */
export const Identity = option("Identity", {
  name: field("Name", text(), "MaxSize(100)"),
  email: field("Email", email(), "MaxSize(254)"),
});
export type Identity = Static<typeof Identity>;

export const CommitDateOptions = option("CommitDateOptions", {
  author: field("Author", time()),
  committer: field("Committer", time()),
});
export type CommitDateOptions = Static<typeof CommitDateOptions>;

/** Commit fields, shared by all requests that change files. */
const commitFields = {
  message: field("Message", text(lengths.content)),
  branch: field("BranchName", text(), "GitRefName", "MaxSize(100)"),
  /** A branch to create for the commit; it starts from `branch`. */
  new_branch: field("NewBranchName", text(), "GitRefName", "MaxSize(100)"),
  force_push: field("ForcePush", bool()),
  author: field("Author", Identity),
  committer: field("Committer", Identity),
  dates: field("Dates", CommitDateOptions),
  signoff: field("Signoff", bool()),
};

export const CreateFileOptions = option("CreateFileOptions", {
  ...commitFields,
  content: expected("ContentBase64", text(lengths.file)),
});
export type CreateFileOptions = Static<typeof CreateFileOptions>;

export const UpdateFileOptions = option("UpdateFileOptions", {
  ...commitFields,
  sha: field("SHA", text(lengths.ref)),
  content: expected("ContentBase64", text(lengths.file)),
  /** The current path of a file that is moved. */
  from_path: field("FromPath", text(), "MaxSize(500)"),
});
export type UpdateFileOptions = Static<typeof UpdateFileOptions>;

export const DeleteFileOptions = option("DeleteFileOptions", {
  ...commitFields,
  sha: field("SHA", text(lengths.ref), "Required"),
});
export type DeleteFileOptions = Static<typeof DeleteFileOptions>;

export const ChangeFileOperation = option("ChangeFileOperation", {
  operation: field("Operation", usually("create", "update", "upload", "rename", "delete"), "Required"),
  path: field("Path", text(), "Required", "MaxSize(500)"),
  content: field("ContentBase64", text(lengths.file)),
  sha: field("SHA", text(lengths.ref)),
  from_path: field("FromPath", text(lengths.path)),
});
export type ChangeFileOperation = Static<typeof ChangeFileOperation>;

export const ChangeFilesOptions = option("ChangeFilesOptions", {
  ...commitFields,
  files: field("Files", nullable(list(ChangeFileOperation, counts.files)), "Required"),
});
export type ChangeFilesOptions = Static<typeof ChangeFilesOptions>;

export const ApplyDiffPatchFileOptions = option("ApplyDiffPatchFileOptions", {
  ...commitFields,
  content: expected("Content", text(lengths.file)),
});
export type ApplyDiffPatchFileOptions = Static<typeof ApplyDiffPatchFileOptions>;

export const GetFilesOptions = option("GetFilesOptions", {
  files: field("Files", nullable(list(text(lengths.path), counts.files)), "Required"),
});
export type GetFilesOptions = Static<typeof GetFilesOptions>;
