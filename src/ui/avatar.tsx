import { avatarPath, type Pictured } from "../core/urls.ts";
import type { Html } from "./html.ts";

export interface AvatarProps {
  readonly account: Pictured & { readonly kind?: "user" | "organization" };
  /** CSS pixels: 16, 20, 24 or 40. */
  readonly size: number;
}

/** The picture of a user or an organization. The name is next to it, so it has no text of its own. */
export const Avatar = ({ account, size }: AvatarProps): Html => (
  <img
    class={account.kind === "organization" ? "avatar square" : "avatar"}
    src={avatarPath(account)}
    width={size}
    height={size}
    alt=""
    loading="lazy"
    decoding="async"
  />
);

/** Pictures shown of a group; further members are counted. */
const maxFaces = 3;

/** The pictures of several users, with their names for screen readers. */
export const Faces = ({ people, label }: { readonly people: readonly Pictured[]; readonly label: string }): Html =>
  people.length > 0 && (
    <span class="faces" title={people.map(({ name }) => name).join(", ")}>
      <span class="hidden">{`${label}: ${people.map(({ name }) => name).join(", ")}`}</span>
      {people.slice(0, maxFaces).map((account) => (
        <Avatar account={account} size={20} />
      ))}
      {people.length > maxFaces && <span aria-hidden="true">{`+${people.length - maxFaces}`}</span>}
    </span>
  );
