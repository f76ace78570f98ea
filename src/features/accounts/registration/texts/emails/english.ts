import type { EmailLink } from "../../../../site/mail/texts/vocabulary.ts";

/** Emails about new accounts. */
export const english = {
  subject: (host: string) => `Your account at ${host}`,
  begin: ({ origin, link }: Omit<EmailLink, "name">) =>
    `An account at ${origin} was requested with this email address. Choose a username and a password here within one day:

${link}

If this was not you, ignore this email: no account is created without this link.
`,
  known: ({ name, origin, link }: EmailLink) =>
    `An account at ${origin} was requested with this email address, but it already belongs to ${name}. Sign in to that account, or set a new password here:

${link}

If this was not you, ignore this email: your account is unchanged.
`,
};
