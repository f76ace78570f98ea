import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { historyTexts } from "../texts/texts.ts";

/** The combined state of the checks of a commit. */
export interface Checks {
  readonly state: "success" | "failure" | "pending";
  readonly total: number;
}

const marks = { success: ["check", "plus"], failure: ["x", "minus"], pending: ["dot-fill", "pending"] } as const;

/** The state of a commit's checks as an icon; empty if it has none. */
export function CheckMark({ checks }: { readonly checks: Checks | undefined }): Html {
  const texts = useTexts(historyTexts);
  if (checks === undefined) return null;
  const [icon, colour] = marks[checks.state];
  const text = texts.checks(checks.total, checks.state);
  return (
    <span class={colour} title={text}>
      <Icon name={icon} label={text} />
    </span>
  );
}
