/** Emails about repositories and webhooks. */
export const english = {
  view: "View",
  unsubscribe: "Unsubscribe from all notifications of this server",
  commit: {
    subject: (repository: string, oid: string) => `[${repository}] You were mentioned in a commit (${oid})`,
    mentioned: (actor: string, oid: string, repository: string) => `${actor} mentioned you in commit ${oid} in ${repository}.`,
  },
  offer: {
    subject: (repository: string, recipient: string) => `[${repository}] Transfer to ${recipient}`,
    offered: (actor: string, repository: string, recipient: string) => `${actor} wants to transfer the repository ${repository} to ${recipient}.`,
    answer: (accept: string, reject: string) => `Accept it with POST ${accept}, or decline it with POST ${reject}.`,
  },
  release: {
    subject: (repository: string, release: string) => `[${repository}] Release ${release}`,
    published: (actor: string, release: string, repository: string) => `${actor} published release ${release} in ${repository}.`,
  },
  hook: {
    subject: (owner: string, host: string) => `[${owner}] The webhook to ${host} fails`,
    failed: (owner: string, host: string) =>
      `The webhook of ${owner} to ${host} has failed for 24 hours. Deliveries older than that were dropped; newer ones are still retried.`,
    switchedOff: (owner: string, host: string) => `The webhook of ${owner} to ${host} was disabled because ${host} responded that it is gone.`,
    look: (address: string) => `Recent deliveries: GET ${address}`,
  },
};
