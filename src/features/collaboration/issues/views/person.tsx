import { accountPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { UserView } from "../../../accounts/users/model.ts";

/** A user's name, linked to their profile. */
export function Person({ user }: { readonly user: UserView | undefined }): Html {
  const { issues: texts } = useTexts();
  return user === undefined ? (
    texts.gone
  ) : (
    <a href={accountPath(user.name)} data-person={user.name}>
      {user.name}
    </a>
  );
}
