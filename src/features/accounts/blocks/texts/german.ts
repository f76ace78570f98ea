import type { english } from "./english.ts";

export const german: typeof english = {
  none: { user: "Sie haben keine Benutzer blockiert", organization: "Die Organisation hat keine Benutzer blockiert" },
  hint: {
    user: "Blockierte Benutzer können in Ihren Repositorys nicht kommentieren, reagieren, Sterne vergeben oder beobachten. Das Blockieren beendet das Folgen in beiden Richtungen.",
    organization: "Blockierte Benutzer können in den Repositorys der Organisation nicht kommentieren, reagieren, Sterne vergeben oder beobachten.",
  },
  add: "Benutzer blockieren",
  name: "Benutzername",
  note: "Notiz",
  noteHint: "Nur für Sie sichtbar.",
  block: "Blockieren",
  unblock: "Blockierung aufheben",
};
