import { avatarPath, type Pictured } from "../core/urls.ts";
import { accountPath } from "./addresses.ts";
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

export interface AuthorProps {
  /** Undefined if no account has the address, or the account is hidden from the reader. */
  readonly account: (Pictured & { readonly fullName: string }) | undefined;
  readonly signature: { readonly name: string; readonly email: string };
  readonly size: number;
}

/** The author of a commit with their picture: the account, or the name in the commit. */
export const Author = ({ account, signature, size }: AuthorProps): Html => (
  <span class="face">
    <Avatar account={account ?? { ...signature, avatar: "" }} size={size} />
    {account === undefined ? <bdi>{signature.name}</bdi> : <a href={accountPath(account.name)}>{account.fullName || account.name}</a>}
  </span>
);

/** An account with its picture, in lists. */
export const Account = ({ account }: { readonly account: AvatarProps["account"] & { readonly fullName: string } }): Html => (
  <>
    <a class="face" href={accountPath(account.name)}>
      <Avatar account={account} size={24} />
      <strong>{account.name}</strong>
    </a>
    {account.fullName !== "" && [" ", <bdi class="soft">{account.fullName}</bdi>]}{" "}
  </>
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
