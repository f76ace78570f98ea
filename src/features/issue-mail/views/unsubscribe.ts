import { h } from "preact";
import { Form } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

/** What the issue is called is not told: whoever holds the letter may not be allowed to read it any more. */
export function UnsubscribeView({ code, isOfAll }: { readonly code: string; readonly isOfAll: boolean }): Html {
  const { unsubscribing: texts } = useTexts().signing;
  return [
    h("p", null, isOfAll ? texts.ofAll : texts.ofOne),
    h(Form, { action: `/user/unsubscribe?code=${code}` }, h("button", { class: "primary", type: "submit" }, texts.confirm)),
  ];
}

export function UnsubscribedView({ isOfAll }: { readonly isOfAll: boolean }): Html {
  const { unsubscribing: texts } = useTexts().signing;
  return h("p", { class: "notice good", role: "status" }, isOfAll ? texts.doneOfAll : texts.doneOfOne);
}
