interface InvitationEmail {
  readonly inviter: string;
  readonly organization: string;
  /** Root URL of the server. */
  readonly origin: string;
  readonly link: string;
}

/** Emails that invite to an organization. */
export const english = {
  subject: (organization: string, host: string) => `Invitation to ${organization} at ${host}`,
  text: ({ inviter, organization, origin, link }: InvitationEmail) =>
    `${inviter} has invited you to join the organization ${organization} at ${origin}. Accept the invitation here within seven days:

${link}

If you do not know ${inviter}, ignore this email: nothing changes without this link.
`,
};
