import type { picking as english } from "./english.ts";

export const picking: typeof english = {
  link: "Übernehmen oder zurücknehmen",
  title: (commit) => `Übernehmen: ${commit}`,
  how: "Was geschehen soll",
  pick: "Übernehmen (Cherry-Pick)",
  revert: "Zurücknehmen (Revert)",
  branch: "Branch",
  newBranch: "Neuer Branch",
  newBranchHint: "Bleibt es leer, kommt der Commit auf den Branch selbst. Mit einem Namen wartet er dort darauf, vorgeschlagen zu werden.",
  message: "Nachricht des Commits",
  messageHint: "Bleibt sie leer, ist es die übliche.",
  commit: "Eintragen",
  revertPull: "Zurücknehmen",
};
