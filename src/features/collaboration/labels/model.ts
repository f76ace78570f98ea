/** Exactly one of the two owners is set. */
export interface LabelView {
  readonly id: number;
  readonly repoId: number | null;
  readonly orgId: number | null;
  /** `scope/name` if the label belongs to a scope. */
  readonly name: string;
  /** Six lower-case hex digits. */
  readonly color: string;
  readonly description: string;
  /** An issue has at most one label of this scope. Has no effect on a label without a scope. */
  readonly isExclusive: boolean;
  readonly isArchived: boolean;
}

export type LabelOwner = { readonly repoId: number } | { readonly orgId: number };

/** The labels available to issues of a repository: its own and those of the organization that owns it. */
export interface LabelReach {
  readonly id: number;
  readonly ownerId: number;
}

/** The same for several repositories. */
export interface LabelReaches {
  readonly repoIds: readonly number[];
  readonly ownerIds: readonly number[];
}

export interface NewLabelInput {
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly isExclusive: boolean;
  readonly isArchived: boolean;
}

/** Changes to a label; null leaves a field unchanged. */
export type LabelEdit = { readonly [K in keyof NewLabelInput]: NewLabelInput[K] | null };

/** The orders of lists of labels. */
export const labelOrders = ["name", "name-desc", "newest", "oldest"] as const;
export type LabelOrder = (typeof labelOrders)[number];

/** The orders of pages of labels. */
export const labelPageOrders = [...labelOrders, "issues"] as const;
export type LabelPageOrder = (typeof labelPageOrders)[number];
