export interface ReplyTitle {
  readonly id: number;
  readonly title: string;
}

export interface SavedReply extends ReplyTitle {
  /** Markdown. */
  readonly content: string;
}

export type ReplyInput = Pick<SavedReply, "title" | "content">;
