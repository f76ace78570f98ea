/** What administrators decorate users with. */
export interface BadgeView {
  readonly id: number;
  readonly slug: string;
  readonly description: string;
  readonly imageUrl: string;
}
