import type { english } from "./english.ts";

export const german: typeof english = {
  present: "Aktueller Avatar",
  file: "Bild",
  fileHint: (megabytes, side) => `PNG, JPEG, GIF oder WebP, bis zu ${megabytes} MB und ${side} × ${side} Pixel. Quadratische Bilder sehen am besten aus.`,
  upload: "Avatar aktualisieren",
  remove: "Avatar entfernen",
  removeHint: "Stattdessen wird ein generierter Avatar verwendet.",
  noneHint: "Der aktuelle Avatar ist generiert.",
  preview: "Social-Media-Vorschau",
  previewHint:
    "Andere Websites und Chatprogramme zeigen dieses Bild mit Links zum Repository. Ohne ein Bild zeigen sie seinen Avatar oder den seines Besitzers.",
  previewFile: "Vorschaubild",
  presentPreview: "Aktuelle Social-Media-Vorschau",
  previewFileHint: (megabytes, side) =>
    `PNG, JPEG, GIF oder WebP, bis zu ${megabytes} MB und ${side} × ${side} Pixel. Bilder mit 1280 × 640 Pixeln sehen am besten aus. Jeder, der die Adresse des Bildes kennt, kann es sehen, auch bei einem privaten Repository.`,
  uploadPreview: "Social-Media-Vorschau aktualisieren",
  removePreview: "Social-Media-Vorschau entfernen",
  chooseFile: "Wählen Sie zuerst ein Bild aus.",
};
