import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Neuen Fork erstellen",
  how: "Ein Fork ist Ihre eigene Kopie eines Repositorys. Ändern Sie ihn frei, und schlagen Sie die Änderungen dem Original mit einem Pull-Request vor.",
  owner: "Besitzer",
  name: "Name des Repositorys",
  nameHint: "Standardmäßig trägt ein Fork den Namen des Originals. Ein anderer Name unterscheidet ihn.",
  description: "Beschreibung",
  defaultBranchOnly: (branch) => `Nur den Branch ${branch} kopieren`,
  defaultBranchOnlyHint: "Andere Branches und alle Tags werden ausgelassen. Sie können später geholt und gepusht werden.",
  submit: "Fork erstellen",
  present: (count) => `Sie haben bereits ${count === 1 ? "einen Fork" : "Forks"} dieses Repositorys:`,
  noOwner: "Jeder Besitzer kann einen Fork eines Repositorys haben. Alle Besitzer, für die Sie Repositorys erstellen können, haben einen.",
};
