import type { english } from "./english.ts";

export const german: typeof english = {
  objects: "Dateien",
  objectsHow: "Dateien, die mit Git LFS hochgeladen wurden, aus allen Branches und Tags.",
  noObjects: "Keine Git-LFS-Dateien",
  noObjectsHint: "Dateien, auf die git lfs track zutrifft, erscheinen hier nach dem Push.",
  total: (files, size, count) => (count === 1 ? `1 Datei, ${size}` : `${files} Dateien, ${size}`),
  uploaded: "{when} hochgeladen",
  locks: "Sperren",
  locksHow: "Nur der Eigentümer einer Sperre kann Änderungen an ihrer Datei pushen.",
  noLocks: "Keine Dateien sind gesperrt.",
  lockedBy: "{when} von {owner} gesperrt",
  unlock: "Sperre aufheben",
  moreLocks: "Nur die ältesten 100 Sperren werden angezeigt.",
};
