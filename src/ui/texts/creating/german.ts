import type { Texts } from "../english.ts";

export const creating: Texts["creating"] = {
  title: "Neues Repository",
  owner: "Besitzer",
  name: "Name",
  nameHint: "Kurz und leicht zu merken: Buchstaben, Ziffern und - _ .",
  description: "Beschreibung",
  private: "Privat: nur wen Sie hereinlassen, sieht es",
  readme: "Mit einer README beginnen",
  readmeHint: "Lassen Sie sie weg, um zu übertragen, was Sie schon haben.",
  gitignore: "Dateien, die git nicht beachtet",
  gitignoreHint: "Eine .gitignore für diese Sprache oder dieses Werkzeug, etwa Node oder Python.",
  license: "Lizenz",
  licenseHint: "Mit ihrem SPDX-Namen, etwa MIT oder Apache-2.0.",
  more: "Womit es beginnt",
  submit: "Repository anlegen",
};
