/** Transfers of repositories. */
export const english = {
  title: "Transfer ownership",
  hint: "The new owner gets full control of the repository. Unless you act for the new owner, they must accept the transfer first.",
  newOwner: "New owner",
  newOwnerHint: "A user or an organization.",
  teams: "Teams with access",
  submit: "Transfer",
  waits: (name: string) => `The transfer to ${name} is pending.`,
  withdraw: "Cancel transfer",
  question: "Accept this repository?",
  from: "{owner} wants to transfer {repository} to {recipient}.",
  accept: "Accept",
  reject: "Decline",
  nothing: "No pending transfer.",
};
