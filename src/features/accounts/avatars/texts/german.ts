import type { english } from "./english.ts";

export const german: typeof english = {
  present: "Aktueller Avatar",
  file: "Bild",
  fileHint: (megabytes, side) => `PNG, JPEG, GIF oder WebP, bis zu ${megabytes} MB und ${side} × ${side} Pixel. Quadratische Bilder sehen am besten aus.`,
  upload: "Avatar aktualisieren",
  remove: "Avatar entfernen",
  removeHint: "Stattdessen wird ein generierter Avatar verwendet.",
  noneHint: "Der aktuelle Avatar ist generiert.",
  chooseFile: "Wählen Sie zuerst ein Bild aus.",
};
