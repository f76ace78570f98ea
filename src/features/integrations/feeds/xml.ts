/** Renders feeds as RSS 2.0 or Atom (RFC 4287). */

export interface Feed {
  readonly title: string;
  /** The HTML page with the same content, and this document; absolute. */
  readonly pageUrl: string;
  readonly selfUrl: string;
  readonly language: string;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** Stable for the same entry. */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly author: string;
  readonly updatedMs: number;
  /** Sanitized HTML; empty for none. */
  readonly html: string;
}

export type FeedFormat = "rss" | "atom";

export const feedTypes: Readonly<Record<FeedFormat, string>> = { rss: "application/rss+xml; charset=utf-8", atom: "application/atom+xml; charset=utf-8" };

/** Characters that XML 1.0 does not allow in any form (section 2.2), and bidirectional control characters. */
const unspeakable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[\u202a-\u202e\u2066-\u2069]/gu;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes untrusted text for an element or attribute. */
export const xmlText = (text: string): string => text.replace(unspeakable, "\ufffd").replace(/[&<>"']/g, (character) => entities[character] ?? "");

const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`;
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Clamps times outside the range of Date, which history may contain. */
const dateOf = (ms: number): Date => new Date(Math.abs(ms) <= 8.64e15 ? ms : 0);
const newest = ({ entries }: Feed): Date => dateOf(entries.reduce((latest, { updatedMs }) => Math.max(latest, updatedMs), 0));

export const renderFeed = (format: FeedFormat, feed: Feed): string => declaration + (format === "rss" ? renderRss(feed) : renderAtom(feed));

function renderRss(feed: Feed): string {
  const items = feed.entries.map(
    ({ id, title, url, author, updatedMs, html }) =>
      `<item>${element("title", title)}${element("link", url)}<guid isPermaLink="false">${xmlText(id)}</guid>${element("dc:creator", author)}${element("pubDate", dateOf(updatedMs).toUTCString())}${html === "" ? "" : element("description", html)}</item>\n`,
  );
  const about = `${element("title", feed.title)}${element("link", feed.pageUrl)}${element("description", feed.title)}${element("language", feed.language)}${element("lastBuildDate", newest(feed).toUTCString())}`;
  const self = `<atom:link href="${xmlText(feed.selfUrl)}" rel="self" type="application/rss+xml"/>`;
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>${about}${self}\n${items.join("")}</channel></rss>\n`;
}

function renderAtom(feed: Feed): string {
  const entries = feed.entries.map(
    ({ id, title, url, author, updatedMs, html }) =>
      `<entry>${element("id", id)}${element("title", title)}<link href="${xmlText(url)}"/><author>${element("name", author)}</author>${element("updated", dateOf(updatedMs).toISOString())}${html === "" ? "" : `<content type="html">${xmlText(html)}</content>`}</entry>\n`,
  );
  const about = `${element("id", feed.selfUrl)}${element("title", feed.title)}<link href="${xmlText(feed.pageUrl)}"/><link href="${xmlText(feed.selfUrl)}" rel="self"/>${element("updated", newest(feed).toISOString())}`;
  return `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(feed.language)}" xml:base="${xmlText(feed.pageUrl)}">${about}\n${entries.join("")}</feed>\n`;
}
