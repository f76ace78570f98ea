/** The page of large files and their locks. */
export const english = {
  objects: "Files",
  objectsHow: "Files that clients have uploaded with Git LFS, for all branches and tags.",
  noObjects: "No Git LFS files",
  noObjectsHint: "Files that git lfs track matches are listed here after they were pushed.",
  total: (files: string, size: string, count: number) => (count === 1 ? `1 file, ${size}` : `${files} files, ${size}`),
  uploaded: "uploaded {when}",
  locks: "Locks",
  locksHow: "Only the owner of a lock can push changes of its file.",
  noLocks: "No files are locked.",
  lockedBy: "locked by {owner} {when}",
  unlock: "Force unlock",
  moreLocks: "Only the oldest 100 locks are shown.",
};
