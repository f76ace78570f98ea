import type { Urls } from "../../../core/urls.ts";
import { wholeText } from "../../../core/whole-text.ts";

interface NamedUser {
  readonly id: number;
  readonly name: string;
}

/** An address that receives no email but identifies its user. */
export const noreplyAddress = (user: NamedUser, urls: Pick<Urls, "host">): string => wholeText(user.id, "+", user.name.toLowerCase(), "@noreply.", urls.host);

/** The id of the user whom such an address identifies; undefined for any other address. Renaming does not affect it. */
export function userIdOfNoreply(email: string, urls: Pick<Urls, "host">): number | undefined {
  const id = /^([1-9][0-9]{0,14})\+[^@]*@/.exec(email)?.[1];
  return id !== undefined && email.toLowerCase().endsWith(`@noreply.${urls.host}`) ? Number(id) : undefined;
}

/** The git identity for commits and tags that the server creates for a user; a hidden address stays hidden. */
export function gitIdentity(
  user: NamedUser & { readonly fullName: string; readonly email: string; readonly hideEmail: boolean },
  urls: Pick<Urls, "host">,
): { readonly name: string; readonly email: string } {
  return { name: user.fullName === "" ? user.name : user.fullName, email: user.hideEmail ? noreplyAddress(user, urls) : user.email };
}
