import type { pictures as english } from "./english.ts";

export const pictures: typeof english = {
  present: "Was alle sehen",
  file: "Bild",
  fileHint: (megabytes, side) => `PNG, JPEG, GIF oder WebP, höchstens ${megabytes} MB und ${side} Pixel breit oder hoch. Quadratische wirken am besten.`,
  upload: "Dieses Bild verwenden",
  remove: "Wegnehmen",
  removeHint: "An seine Stelle tritt eines, das aus dem Namen oder der Adresse gezeichnet ist.",
  noneHint: "Das jetzige ist aus dem Namen oder der Adresse gezeichnet.",
  chooseFile: "Wählen Sie zuerst ein Bild.",
};
