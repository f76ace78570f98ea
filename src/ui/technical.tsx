import type { Html } from "./html.ts";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export interface TechnicalProps {
  /** A message of the server or of another program, which is in English. */
  readonly message: string;
  /** Shown at first, where readers need it to act. */
  readonly isOpen?: boolean;
}

/** The original message of a failure, below its text in the reader's language. */
export const Technical = ({ message, isOpen = false }: TechnicalProps): Html => (
  <details class="folded" {...(isOpen && { open: true })}>
    <summary>{useTexts(sharedTexts).site.technical}</summary>
    <code lang="en">{message}</code>
  </details>
);
