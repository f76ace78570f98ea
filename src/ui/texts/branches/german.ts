import type { branches as english } from "./english.ts";

export const branches: typeof english = {
  isDefault: "Standard",
  none: "Es gibt noch keine Branches.",
  noTags: "Es gibt noch keine Tags.",
  tagHow: "Legen Sie einen mit git tag an und pushen Sie ihn.",
};
