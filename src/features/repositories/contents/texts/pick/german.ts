import type { english } from "./english.ts";

export const german: typeof english = {
  title: (commit) => `Cherry-Pick oder Revert: ${commit}`,
  how: "Vorgang",
  pick: "Cherry-Pick",
  revert: "Revert",
  branch: "Branch",
  newBranch: "Neuer Branch",
  newBranchHint: "Leer lassen, um direkt auf den Branch zu committen. Mit einem Namen können Sie dafür einen Pull-Request öffnen.",
  message: "Commit-Nachricht",
  messageHint: "Leer lassen für die Standardnachricht.",
  commit: "Committen",
};
