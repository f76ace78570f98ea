export type { JobView } from "../../jobs/store.ts";

/** What administrators decorate users with. */
export interface BadgeView {
  readonly id: number;
  readonly slug: string;
  readonly description: string;
  readonly imageUrl: string;
}

/** What goes with an account: some names of each, and how many there are. */
export interface Possessions {
  readonly repositories: { readonly names: readonly string[]; readonly total: number };
  /** Those that nobody else owns. */
  readonly organizations: { readonly names: readonly string[]; readonly total: number };
}
