import { h } from "preact";
import { Choice, type ChoiceFacts } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

export interface FindFacts {
  readonly path: string;
  readonly text: string;
  readonly label: string;
  readonly choices?: readonly ChoiceFacts[];
  /** What stands beside the search. */
  readonly children?: Html;
}

/** The search above a list. */
export function Find({ path, text, label, choices = [], children }: FindFacts): Html {
  const { administration: texts } = useTexts();
  return h(
    "form",
    { class: "find", action: path, role: "search" },
    h("input", { type: "search", name: "q", value: text, "aria-label": label, placeholder: label }),
    choices.map((choice) => h(Choice, choice)),
    h("button", { type: "submit" }, texts.findButton),
    children,
  );
}
