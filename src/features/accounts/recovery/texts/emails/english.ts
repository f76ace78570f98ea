import type { EmailLink } from "../../../../site/mail/texts/vocabulary.ts";

/** Emails about passwords and email addresses. */
export const english = {
  passwordSubject: (host: string) => `Reset your password at ${host}`,
  password: ({ name, origin, link }: EmailLink) =>
    `A password reset was requested for ${name} at ${origin}.

Set a new password here within one hour:

${link}

If this was not you, ignore this email: your password is unchanged.
`,
  addressSubject: (name: string, host: string) => `Verify your email address for ${name} at ${host}`,
  address: ({ name, origin, link }: EmailLink) =>
    `${name} at ${origin} added this email address. Verify it here within three days:

${link}

If this was not you, ignore this email: an address that is not verified cannot be used to sign in.
`,
};
