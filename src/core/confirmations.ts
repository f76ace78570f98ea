/** The change that a page confirms after a form was sent (`savedAt` in `form-submit.ts`). */
export const confirmations = ["saved", "deleted", "removed", "left", "sent", "started", "restored", "connected", "adopted", "ended"] as const;
export type Confirmation = (typeof confirmations)[number];

/** Reads the confirmation from the URL of a page. */
export function readConfirmation(url: string): Confirmation | undefined {
  const [, value] = /[?&]saved=([a-z]+)\b/.exec(url) ?? [];
  return value === "true" ? "saved" : confirmations.find((one) => one === value);
}
