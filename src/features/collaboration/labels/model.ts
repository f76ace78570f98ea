/** A label; exactly one of its two owners is set. */
export interface LabelView {
  readonly id: number;
  readonly repoId: number | null;
  readonly orgId: number | null;
  /** `scope/name` where it belongs to a scope. */
  readonly name: string;
  /** Six lower-case hex digits. */
  readonly color: string;
  readonly description: string;
  /** At most one label of its scope on an issue; without effect on a label without a scope. */
  readonly isExclusive: boolean;
  readonly isArchived: boolean;
}

/** Whose labels. */
export type LabelOwner = { readonly repoId: number } | { readonly orgId: number };

/** The labels that issues of a repository may bear: its own, and those of the organization that owns it. */
export interface LabelReach {
  readonly id: number;
  readonly ownerId: number;
}

export interface NewLabelInput {
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly isExclusive: boolean;
  readonly isArchived: boolean;
}

/** Wishes for a label; what is null stays as it is. */
export type LabelEdit = { readonly [K in keyof NewLabelInput]: NewLabelInput[K] | null };
