import type { english } from "./english.ts";

export const german: typeof english = {
  subject: (organization, host) => `Einladung zu ${organization} bei ${host}`,
  text: ({ inviter, organization, origin, link }) =>
    `${inviter} hat Sie eingeladen, der Organisation ${organization} bei ${origin} beizutreten. Nehmen Sie die Einladung hier innerhalb von sieben Tagen an:

${link}

Wenn Sie ${inviter} nicht kennen, ignorieren Sie diese E-Mail: Ohne diesen Link ändert sich nichts.
`,
};
