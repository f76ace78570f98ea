/** A letter to one person. */
export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as a page, for programs that show those. */
  readonly html?: string;
  /** Whose doing it tells of; else the letter is the server's own. */
  readonly senderName?: string;
  /** The letter that this one follows, as its id was given to {@link deliver}: programs show both as one conversation. */
  readonly follows?: string;
  /** What programs that sort and answer letters go by. */
  readonly headers?: Readonly<Record<string, string>>;
}
