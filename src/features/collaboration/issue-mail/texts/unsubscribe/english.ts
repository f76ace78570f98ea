/** Unsubscribing from emails. */
export const english = {
  title: "Unsubscribe",
  ofAll: "Do you want to stop receiving email notifications from this server? You still receive emails about your account.",
  ofOne: "Do you want to stop receiving notifications about this issue or pull request? You are still notified when you are mentioned.",
  confirm: "Unsubscribe",
  doneOfAll: "You are unsubscribed. You can enable email notifications again in your settings.",
  doneOfOne: "You are unsubscribed. You are still notified when you are mentioned. You can subscribe again on its page.",
};
