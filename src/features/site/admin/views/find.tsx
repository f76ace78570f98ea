import { Choice, type ChoiceProps } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { adminTexts } from "../texts/texts.ts";

export interface FindProps {
  readonly path: string;
  readonly text: string;
  readonly label: string;
  readonly choices?: readonly ChoiceProps[];
  /** Shown next to the search. */
  readonly children?: Html;
}

/** The search form above a list. */
export function Find({ path, text, label, choices = [], children }: FindProps): Html {
  const texts = useTexts(adminTexts);
  return (
    <form class="find" action={path} role="search">
      <input type="search" name="q" value={text} aria-label={label} placeholder={label} />
      {choices.map((choice) => (
        <Choice {...choice} />
      ))}
      <button type="submit">{texts.findButton}</button>
      {children}
    </form>
  );
}
