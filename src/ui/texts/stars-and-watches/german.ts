import type { audience as english } from "./english.ts";

export const audience: typeof english = {
  star: "Stern geben",
  unstar: "Stern nehmen",
  watch: "Beobachten",
  unwatch: "Nicht mehr beobachten",
  fork: "Forken",
  titles: { star: "Sterne", watch: "Beobachter", forks: "Forks" },
  none: {
    star: "Niemand, den Sie sehen können, hat dem einen Stern gegeben.",
    watch: "Niemand, den Sie sehen können, beobachtet das.",
    forks: "Es gibt keinen Fork, den Sie sehen können.",
  },
  hints: {
    star: "Ein Stern sagt, dass man es mag, und hält es in der eigenen Liste.",
    watch: "Wer es beobachtet, erfährt von Issues, Pull-Requests und Veröffentlichungen.",
    forks: "Ein Fork ist eine eigene Kopie, zum Ändern und um Änderungen vorzuschlagen.",
  },
  whereToBegin: "Der Knopf steht auf der ersten Seite des Repositorys",
  lists: "Wer es mag und nutzt",
};
