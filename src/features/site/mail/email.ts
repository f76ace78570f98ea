/** An email to one recipient. */
export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The HTML version, for clients that show it. */
  readonly html?: string;
  /** The user whose action the email is about; otherwise the server is the sender. */
  readonly senderName?: string;
  /** The message id, as passed to {@link deliver}, of the previous email in the conversation. Clients group both. */
  readonly follows?: string;
  /** Headers for filters and automatic replies. */
  readonly headers?: Readonly<Record<string, string>>;
}
