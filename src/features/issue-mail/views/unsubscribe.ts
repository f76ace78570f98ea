import { h } from "preact";
import { Form } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";

/** What the issue is called is not told: whoever holds the letter may not be allowed to read it any more. */
export const UnsubscribeView = ({ code, isOfAll }: { readonly code: string; readonly isOfAll: boolean }): Html => [
  h(
    "p",
    null,
    isOfAll
      ? "Do you want no more letters of this server about what happens? Letters about your account still come."
      : "Do you want no more letters and notifications about the issue or pull request of this letter? You still get those that mention you.",
  ),
  h(Form, { action: `/user/unsubscribe?code=${code}` }, h("button", { class: "primary", type: "submit" }, "Unsubscribe")),
];

export const UnsubscribedView = ({ isOfAll }: { readonly isOfAll: boolean }): Html =>
  h(
    "p",
    { class: "notice", role: "status" },
    isOfAll
      ? "You get no more such letters. Your settings are where you ask for them again."
      : "You hear no more of it, unless somebody mentions you. Subscribe to it again where you read it.",
  );
