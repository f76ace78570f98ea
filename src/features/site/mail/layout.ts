import { escapeHtml } from "../../../core/escape-html.ts";
import type { EmailMessage } from "./email.ts";

/** The same passage as plain text and as HTML. */
export interface Passage {
  readonly text: string;
  readonly html: string;
}

export interface Layout {
  /** The document title of the HTML version. */
  readonly title: string;
  readonly headline: string;
  readonly passages: readonly Passage[];
  /** The lines of the footer, some with a link. */
  readonly footer: readonly { readonly label: string; readonly address?: string }[];
}

export const link = (address: string, label: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;

/** A plain paragraph. */
export const plainPassage = (text: string): Passage => ({ text, html: `<p>${escapeHtml(text)}</p>` });

/** A passage with preserved line breaks. */
export const literalPassage = (text: string): Passage => ({ text, html: `<pre>${escapeHtml(text)}</pre>` });

/** Lays out an email as plain text and HTML. */
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
