/** The owner of a new repository. */
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
  /** Whether it has an initial commit; templates only apply then. */
  readonly hasFirstCommit: boolean;
  readonly readme: string;
  readonly gitignores: string;
  readonly license: string;
  /** Name of a label template; empty for none. */
  readonly labels: string;
  /** Empty for the server's default. */
  readonly defaultBranch: string;
  /** Unknown values mean the default. */
  readonly trustModel: string;
  /** Empty for sha1. */
  readonly objectFormat: string;
}
