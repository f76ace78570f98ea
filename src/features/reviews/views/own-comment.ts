import { h } from "preact";
import type { Html } from "../../../ui/html.ts";
import { Do } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

export interface RemoveFacts {
  readonly action: string;
  readonly formToken: string;
  /** Of the file. */
  readonly path: string;
}

/** Takes back what somebody said on lines. */
export function RemoveComment({ action, formToken, path }: RemoveFacts): Html {
  const { reviewing: texts } = useTexts();
  return h(
    "section",
    { class: "below" },
    h("h2", null, texts.remove),
    h("p", { class: "soft" }, texts.removeHint),
    h(Do, { action, formToken, label: texts.remove, of: path, isDanger: true }),
  );
}
