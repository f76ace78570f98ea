export const searchKinds = ["issues", "pulls"] as const;
export type SearchKind = (typeof searchKinds)[number];

export interface SearchInput {
  /** The list that the query searches. */
  readonly kind: SearchKind;
  readonly name: string;
  readonly query: string;
}

export interface SavedSearch extends SearchInput {
  readonly id: number;
}
