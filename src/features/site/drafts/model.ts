export interface DraftView {
  /** Where the form leads: a path. */
  readonly form: string;
  /** What was typed, by the names of the fields. */
  readonly fields: Readonly<Record<string, string>>;
  readonly updatedMs: number;
}
