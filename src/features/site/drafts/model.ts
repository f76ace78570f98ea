export interface DraftView {
  /** The path that the form posts to. */
  readonly form: string;
  /** The input by field name. */
  readonly fields: Readonly<Record<string, string>>;
  readonly updatedMs: number;
}
