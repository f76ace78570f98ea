import type { Reason } from "./vocabulary.ts";

/** Texts of all emails. */
export const english = {
  theServer: "The server",
  because: {
    mention: "You are receiving this because you were mentioned.",
    requested: "You are receiving this because your review was requested.",
    assign: "You are receiving this because you were assigned.",
    author: "You are receiving this because you are the author.",
    assignee: "You are receiving this because you are assigned.",
    comment: "You are receiving this because you commented.",
    subscribed: "You are receiving this because you are subscribed.",
    watch: "You are receiving this because you are watching the repository.",
    recipient: "You are receiving this because the repository is being transferred to you or to an organization that you own.",
    owner: "You are receiving this because you own the webhook.",
  } as Readonly<Record<Reason, string>>,
  noReplies: "Replies to this email are not read.",
  settings: "Notification settings",
};
