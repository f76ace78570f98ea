/** System notices. */
export const english = {
  intro: "Failures of the server that administrators should know about, newest first. They are deleted after 90 days.",
  none: "No notices",
  sentences: {
    job_failed: (subject: string) => `The background job ${subject} has failed permanently.`,
    mirror_failed: (subject: string) => `The mirror could not be synchronized with ${subject}.`,
    hook_failed: (subject: string) => `Deliveries of a webhook to ${subject} have failed for so long that some were dropped.`,
    hook_deactivated: (subject: string) => `The webhook to ${subject} was deactivated: its receiver has unsubscribed.`,
    store_damaged: (subject: string) => `A check found damaged or missing objects in store ${subject}.`,
  },
  delete: "Delete notice",
  deleteAll: "Delete all notices",
  jobs: "Jobs",
  overview: "Problems found",
};
