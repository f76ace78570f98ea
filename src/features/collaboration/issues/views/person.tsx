import { accountPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { issueTexts } from "../texts/texts.ts";

/** A user's name, linked to their profile. */
export function Person({ user }: { readonly user: UserView | undefined }): Html {
  const texts = useTexts(issueTexts);
  return user === undefined ? (
    texts.gone
  ) : (
    <a href={accountPath(user.name)} data-person={user.name}>
      {user.name}
    </a>
  );
}
