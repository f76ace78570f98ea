/** Who a new repository will belong to. */
export interface NewOwner {
  readonly id: number;
  readonly name: string;
  readonly kind: "user" | "organization";
}

export interface NewRepository {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isTemplate: boolean;
  /** Whether it starts with a commit; the templates matter only then. */
  readonly hasFirstCommit: boolean;
  readonly readme: string;
  readonly gitignores: string;
  readonly license: string;
  /** Name of a label set; empty for none. */
  readonly labels: string;
  /** Empty: the server's default. */
  readonly defaultBranch: string;
  /** Unknown ones mean the default. */
  readonly trustModel: string;
  /** Empty: sha1. */
  readonly objectFormat: string;
}
