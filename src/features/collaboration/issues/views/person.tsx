import { accountPath } from "../../../../ui/addresses.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { issueTexts } from "../texts/texts.ts";

export interface PersonProps {
  /** Undefined for a deleted user. */
  readonly user: UserView | undefined;
  /** Name of an author without an account here, at the source of an import. */
  readonly formerName?: string | undefined;
  /** Shows their picture in this size, in CSS pixels. */
  readonly avatarSize?: number;
}

/** A user's name, linked to their profile. */
export function Person({ user, formerName, avatarSize }: PersonProps): Html {
  const texts = useTexts(issueTexts);
  return user === undefined ? (
    (formerName && <bdi>{formerName}</bdi>) || texts.gone
  ) : (
    <a href={accountPath(user.name)} data-person={user.name} {...(avatarSize !== undefined && { class: "face" })}>
      {avatarSize !== undefined && <Avatar account={user} size={avatarSize} />}
      {user.name}
    </a>
  );
}
