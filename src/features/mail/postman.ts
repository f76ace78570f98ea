import type { Config } from "../../config/config.ts";
import type { Letter } from "./letter.ts";

/** How long a mail server may take to be connected to, and to say a word. */
const timeoutMs = 20_000;

/** Whether the server can send letters at all. */
export const canSend = ({ mail }: Pick<Config, "mail">): boolean => mail.host !== "";

/**
 * Hands a letter to the configured mail server.
 * @param messageId the same for each attempt at one letter: a mail server that got it twice can tell
 * @throws Error with the mail server's words
 */
export async function deliver({ mail, server }: Pick<Config, "mail" | "server">, letter: Letter, messageId: string): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const domain = mail.from.replace(/^.*@/s, "").replace(/>$/, "");
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
      from: mail.from,
      to: { name: "", address: letter.to },
      subject: letter.subject,
      text: letter.text,
      messageId: `<${messageId}@${domain}>`,
      // Programs that answer letters by themselves are to leave these alone (RFC 3834).
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } finally {
    transport.close();
  }
}
