import type { Html } from "../../../../ui/html.ts";
import { Do } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { reviewTexts } from "../texts/texts.ts";

export interface RemoveProps {
  readonly action: string;
  readonly formToken: string;
  /** Path of the file. */
  readonly path: string;
}

/** Button to delete a comment on lines. */
export function RemoveComment({ action, formToken, path }: RemoveProps): Html {
  const texts = useTexts(reviewTexts);
  return (
    <section class="below">
      <h2>{texts.remove}</h2>
      <p class="soft">{texts.removeHint}</p>
      <Do action={action} formToken={formToken} label={texts.remove} of={path} isDanger />
    </section>
  );
}
