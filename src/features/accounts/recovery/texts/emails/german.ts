import type { english } from "./english.ts";

export const german: typeof english = {
  passwordSubject: (host) => `Ihr Passwort bei ${host}`,
  password: ({ name, origin, link }) =>
    `Für ${name} bei ${origin} wurde ein neues Passwort angefordert.

Legen Sie es hier innerhalb einer Stunde fest:

${link}

Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.
`,
  addressSubject: (name, host) => `E-Mail-Adresse für ${name} bei ${host} bestätigen`,
  address: ({ name, origin, link }) =>
    `${name} bei ${origin} hat diese E-Mail-Adresse hinzugefügt. Bestätigen Sie sie hier innerhalb von drei Tagen:

${link}

Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Mit einer nicht bestätigten Adresse kann sich niemand anmelden.
`,
};
