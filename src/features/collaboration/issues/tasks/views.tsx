import { TextBox } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { issueTexts } from "../texts/texts.ts";

/** A text that was changed before an issue could be created from one of its task items. */
export function ChangedTextView({ content, path }: { readonly content: string; readonly path: string }): Html {
  const texts = useTexts(issueTexts);
  return (
    <>
      <p class="notice bad" role="alert">
        {texts.taskChangedHint}
      </p>
      <TextBox title={texts.currentText} text={content} />
      <p>
        <a class="button primary" href={path}>
          {texts.backToText}
        </a>
      </p>
    </>
  );
}
