import type { english } from "./english.ts";

export const german: typeof english = {
  theServer: "Der Server",
  because: {
    mention: "Sie erhalten diese E-Mail, weil Sie erwähnt wurden.",
    requested: "Sie erhalten diese E-Mail, weil Ihr Review angefordert wurde.",
    assign: "Sie erhalten diese E-Mail, weil Sie zugewiesen wurden.",
    author: "Sie erhalten diese E-Mail, weil Sie der Autor sind.",
    assignee: "Sie erhalten diese E-Mail, weil Sie zugewiesen sind.",
    comment: "Sie erhalten diese E-Mail, weil Sie kommentiert haben.",
    subscribed: "Sie erhalten diese E-Mail, weil Sie dies abonniert haben.",
    watch: "Sie erhalten diese E-Mail, weil Sie das Repository beobachten.",
    recipient: "Sie erhalten diese E-Mail, weil das Repository an Sie oder an eine Ihrer Organisationen übertragen werden soll.",
    owner: "Sie erhalten diese E-Mail, weil der Webhook Ihnen gehört.",
  },
  noReplies: "Antworten auf diese E-Mail werden nicht gelesen.",
  settings: "Benachrichtigungseinstellungen",
};
