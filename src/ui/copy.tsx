import type { Html } from "./html.ts";
import { Icon } from "./icons.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

/** A button that copies a text, where scripts run and can write to the clipboard. It takes its place from the start, so that nothing moves. */
export function CopyButton({ text }: { readonly text: string }): Html {
  const { scripts } = useTexts(sharedTexts);
  const label = `${scripts.copy}: ${text.slice(0, 10)}`;
  return (
    <button class="plain copies" type="button" data-copies={text} title={scripts.copy} aria-label={label}>
      <Icon name="copy" />
    </button>
  );
}
