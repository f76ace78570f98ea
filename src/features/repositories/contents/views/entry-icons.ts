import type { FileMode } from "../../../../git/types.ts";
import type { IconName } from "../../../../ui/icons.tsx";

/** The icons of files and folders. */
export const entryIcons: Readonly<Record<FileMode, IconName>> = {
  "040000": "file-directory-fill",
  "100644": "file",
  "100755": "file-code",
  "120000": "file-symlink-file",
  "160000": "file-submodule",
};
