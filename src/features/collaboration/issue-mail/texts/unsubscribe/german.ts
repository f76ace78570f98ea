import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Abbestellen",
  ofAll: "Möchten Sie keine E-Mail-Benachrichtigungen dieses Servers mehr erhalten? E-Mails zu Ihrem Konto erhalten Sie weiterhin.",
  ofOne: "Möchten Sie zu diesem Issue oder Pull-Request keine Benachrichtigungen mehr erhalten? Wenn Sie erwähnt werden, werden Sie weiterhin benachrichtigt.",
  confirm: "Abbestellen",
  doneOfAll: "Sie haben die Benachrichtigungen abbestellt. In Ihren Einstellungen können Sie sie wieder aktivieren.",
  doneOfOne:
    "Sie haben die Benachrichtigungen abbestellt. Wenn Sie erwähnt werden, werden Sie weiterhin benachrichtigt. Auf der Seite können Sie sie wieder abonnieren.",
};
