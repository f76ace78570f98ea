import type { english } from "./english.ts";

export const german: typeof english = {
  titles: { star: "Sterne", watch: "Beobachter", forks: "Forks" },
  none: {
    star: "Noch keine Sterne.",
    watch: "Noch keine Beobachter.",
    forks: "Noch keine Forks.",
  },
  hints: {
    star: "Repositorys mit Stern werden in Ihrem Profil aufgeführt.",
    watch: "Beobachter werden über Issues, Pull-Requests und Releases benachrichtigt.",
    forks: "Ein Fork ist Ihre eigene Kopie, aus der Sie Änderungen vorschlagen können.",
  },
  whereToBegin: "Verwenden Sie die Schaltflächen auf der Startseite des Repositorys.",
  lists: "Sterne, Beobachter und Forks",
};
