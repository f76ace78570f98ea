export interface StarListInput {
  readonly name: string;
  readonly description: string;
  /** Only its owner sees it. */
  readonly isPrivate: boolean;
}

export interface StarList extends StarListInput {
  readonly id: number;
}
