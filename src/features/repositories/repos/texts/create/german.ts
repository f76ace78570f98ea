import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Neues Repository",
  owner: "Besitzer",
  name: "Name",
  nameHint: "Kurz und einprägsam. Erlaubt sind Buchstaben, Ziffern und - _ .",
  description: "Beschreibung",
  private: "Privat",
  readme: "README hinzufügen",
  readmeHint: "Lassen Sie dies weg, um ein vorhandenes Repository zu pushen.",
  gitignore: ".gitignore-Vorlage",
  gitignoreHint: "Zum Beispiel Node oder Python.",
  license: "Lizenz",
  licenseHint: "Der SPDX-Bezeichner, zum Beispiel MIT oder Apache-2.0.",
  more: "Repository initialisieren",
  submit: "Repository erstellen",
};
