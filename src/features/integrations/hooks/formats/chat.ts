import type { HookSettings, HookType } from "../model.ts";
import { type Part, type Payload, plain, type Summary, summarize } from "./summary.ts";

/** Maximum length shown by the services; longer text is cut. */
const maxText = 2_000;

const cut = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}…` : text);

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
/** https://api.slack.com/reference/surfaces/formatting: three characters are special. */
const escapeSlack = (text: string): string => text.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter] ?? letter);
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>()~|]/g, "\\$&");

const slackLine = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? escapeSlack(part) : `<${part.url}|${escapeSlack(part.text)}>`)).join("");
const htmlLine = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? escapeHtml(part) : `<a href="${escapeHtml(part.url)}">${escapeHtml(part.text)}</a>`)).join("");
const markdownLine = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? escapeMarkdown(part) : `[${escapeMarkdown(part.text)}](${part.url})`)).join("");

/** Joins the user's text and the lines in a service's markup. */
const bodyIn = (line: (parts: readonly Part[]) => string, asText: (text: string) => string, { text, lines }: Summary): string =>
  [...(text === "" ? [] : [asText(cut(text))]), ...lines.map(line)].join("\n");

type Chat = (summary: Summary, settings: HookSettings) => object;

const slack: Chat = (summary, { channel = "", username = "", icon_url = "", color = "" }) => {
  const text = bodyIn(slackLine, escapeSlack, summary);
  return {
    channel,
    text: slackLine(summary.headline),
    username,
    icon_url,
    unfurl_links: 0,
    link_names: 0,
    attachments: text === "" ? null : [{ color: color || `#${summary.color}`, title: "", title_link: summary.url, text }],
  };
};

const discord: Chat = (summary, { username = "", icon_url = "" }) => ({
  content: "",
  username,
  avatar_url: icon_url,
  embeds: [
    {
      title: summary.title.slice(0, 250),
      description: bodyIn(markdownLine, (text) => text, summary),
      url: summary.url,
      color: Number.parseInt(summary.color, 16),
      author: { name: summary.sender.name, url: summary.sender.url, icon_url: summary.sender.avatarUrl },
      fields: [],
    },
  ],
});

const dingtalk: Chat = (summary) => ({
  msgtype: "actionCard",
  text: { content: "" },
  link: { title: "", picUrl: "", messageUrl: "", text: "" },
  actionCard: {
    text: [summary.title, bodyIn(plain, (text) => text, summary)].filter((text) => text !== "").join("\r\n\r\n"),
    title: summary.title,
    hideAvatar: "0",
    singleTitle: "view it",
    singleURL: summary.url,
  },
});

const telegram: Chat = (summary) => ({
  text: [htmlLine(summary.headline), bodyIn(htmlLine, escapeHtml, summary)].filter((text) => text !== "").join("\n\n"),
  parse_mode: "HTML",
  disable_web_page_preview: true,
});

const msteams: Chat = (summary) => ({
  "@type": "MessageCard",
  "@context": "https://schema.org/extensions",
  themeColor: summary.color,
  title: summary.title,
  summary: summary.title,
  sections: [
    {
      activityTitle: summary.sender.name,
      activitySubtitle: "",
      activityImage: summary.sender.avatarUrl,
      text: bodyIn(markdownLine, (text) => text, summary),
      facts: [],
    },
  ],
  potentialAction: [{ "@type": "OpenUri", name: "View", targets: [{ os: "default", uri: summary.url }] }],
});

const feishu: Chat = (summary) => ({ msg_type: "text", content: { text: `${summary.title}\r\n\r\n${bodyIn(plain, (text) => text, summary)}`.trim() } });

const wechatwork: Chat = (summary) => ({
  msgtype: "markdown",
  markdown: { content: `${markdownLine(summary.headline)}\n${bodyIn(markdownLine, escapeMarkdown, summary)}`.trim() },
});

/** `message_type` 2 sends a notification. */
const matrix: Chat = (summary, { message_type = "" }) => {
  const html = [htmlLine(summary.headline), bodyIn(htmlLine, escapeHtml, summary).replaceAll("\n", "<br>")].filter((text) => text !== "").join("<br>");
  return {
    msgtype: message_type === "2" ? "m.text" : "m.notice",
    format: "org.matrix.custom.html",
    body: [summary.title, bodyIn(plain, (text) => text, summary)].filter((text) => text !== "").join("\n"),
    formatted_body: html,
  };
};

const chats: Readonly<Partial<Record<HookType, Chat>>> = { slack, discord, dingtalk, telegram, msteams, feishu, wechatwork, matrix };

/** The message for a chat service; undefined for other types of webhooks. */
export function chatMessage(type: HookType, settings: HookSettings, event: string, payload: Payload): object | undefined {
  return chats[type]?.(summarize(event, payload), settings);
}
