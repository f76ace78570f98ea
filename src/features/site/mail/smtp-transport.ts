import type { Config } from "../../../config/config.ts";
import type { EmailMessage } from "./email.ts";

/** Time limit for connecting and for each response. */
const timeoutMs = 20_000;

/** How long a delivery may take as a whole: a mail server that sends a byte now and then holds no worker for longer. */
const defaultDeadlineMs = 180_000;

/** Whether the server can send emails. */
export const canSend = ({ mail }: Pick<Config, "mail">): boolean => mail.host !== "";

/** Removes line breaks, bidirectional controls and invisible characters, so that a title cannot be disguised. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ");

/**
 * Sends an email through the configured mail server.
 * @param messageId the same for each attempt, so that the mail server can detect duplicates
 * @throws Error with the mail server's message, or `AbortError` after the deadline
 */
export async function deliver(
  { mail, server }: Pick<Config, "mail" | "server">,
  email: EmailMessage,
  messageId: string,
  deadlineMs = defaultDeadlineMs,
): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const domain = mail.from.slice(mail.from.lastIndexOf("@") + 1);
  const idOf = (id: string): string => `<${id}@${domain}>`;
  const transport = createTransport({
    host: mail.host,
    port: mail.port,
    secure: mail.security === "tls",
    requireTLS: mail.security === "starttls",
    ignoreTLS: mail.security === "none",
    ...(mail.user !== "" && { auth: { user: mail.user, pass: mail.password } }),
    ...(server.root_url !== "" && { name: new URL(server.root_url).hostname }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      signal: AbortSignal.timeout(deadlineMs),
      from: { name: oneLine(email.senderName ?? ""), address: mail.from },
      to: { name: "", address: email.to },
      subject: oneLine(email.subject),
      text: email.text,
      ...(email.html !== undefined && { html: email.html }),
      messageId: idOf(messageId),
      ...(email.follows !== undefined && { inReplyTo: idOf(email.follows), references: idOf(email.follows) }),
      // Prevents automatic replies (RFC 3834).
      headers: { ...email.headers, "Auto-Submitted": "auto-generated" },
    });
  } finally {
    transport.close();
  }
}
