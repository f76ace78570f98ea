import { escapeHtml } from "../markup/escape.ts";
import type { EmailMessage } from "./email.ts";

/** The same words twice: as they are, and as HTML. */
export interface Passage {
  readonly text: string;
  readonly html: string;
}

export interface Layout {
  /** For programs that show one. */
  readonly title: string;
  readonly headline: string;
  readonly passages: readonly Passage[];
  /** Below the line: words, some of them a link. */
  readonly footer: readonly { readonly label: string; readonly address?: string }[];
}

export const link = (address: string, label: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;

/** Words of no further meaning. */
export const plainPassage = (text: string): Passage => ({ text, html: `<p>${escapeHtml(text)}</p>` });

/** Words whose lines stay as they are. */
export const literalPassage = (text: string): Passage => ({ text, html: `<pre>${escapeHtml(text)}</pre>` });

/** What a letter says, as text and as a page. */
export function layOut({ title, headline, passages, footer }: Layout): Required<Pick<EmailMessage, "text" | "html">> {
  const paragraphs = [headline, ...passages.map(({ text }) => text.trimEnd()).filter((text) => text !== "")];
  const lines = footer.map(({ label, address }) => (address === undefined ? label : `${label}: ${address}`));
  const links = footer.map(({ label, address }) => (address === undefined ? escapeHtml(label) : link(address, label)));
  return {
    text: `${paragraphs.join("\n\n")}\n\n-- \n${lines.join("\n")}\n`,
    html: `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>
<p>${escapeHtml(headline)}</p>
${passages.map(({ html }) => html).join("\n")}
<hr>
<p style="font-size:small">${links.join("<br>\n")}</p>
</body></html>
`,
  };
}
