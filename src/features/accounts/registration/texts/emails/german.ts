import type { english } from "./english.ts";

export const german: typeof english = {
  subject: (host) => `Ihr Konto bei ${host}`,
  begin: ({ origin, link }) =>
    `Mit dieser E-Mail-Adresse wurde ein Konto bei ${origin} angefordert. Wählen Sie hier innerhalb eines Tages Benutzernamen und Passwort:

${link}

Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ohne diesen Link wird kein Konto erstellt.
`,
  known: ({ name, origin, link }) =>
    `Mit dieser E-Mail-Adresse wurde ein Konto bei ${origin} angefordert, aber sie gehört dort schon zu ${name}. Melden Sie sich damit an, oder legen Sie hier ein neues Passwort fest:

${link}

Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Konto bleibt unverändert.
`,
};
