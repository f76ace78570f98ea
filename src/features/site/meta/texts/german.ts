import type { english } from "./english.ts";

export const german: typeof english = {
  title: "API",
  operations: (count) => `${count} Operationen unter `,
  description: ". Die maschinenlesbare Beschreibung (Swagger 2.0) ist ",
  subjects: "Themen",
};
