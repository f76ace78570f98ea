import { type Actor, isSelf, isSiteAdmin, isUser } from "../../../access/actor.ts";
import { epochTime, formatTime, zeroTime } from "../../../core/time.ts";
import { avatarPath, type Pictured, type Urls } from "../../../core/urls.ts";
import { wholeText } from "../../../core/whole-text.ts";
import type { Email } from "../../../wire/email.ts";
import type { AccessToken } from "../../../wire/token.ts";
import type { TwoFactor } from "../../../wire/two-factor.ts";
import type { MailSettings, User, UserSettings } from "../../../wire/user.ts";
import { noreplyAddress } from "./git-identity.ts";
import { defaultTheme, type EmailView, type TokenView, type TwoFactorView, type UserSettingsView, type UserView } from "./model.ts";

export const avatarUrl = (account: Pictured, urls: Urls): string => wholeText(urls.origin, avatarPath(account));

/** `signed-in` viewers see an address that is not hidden; `none` shows the noreply address. */
export type EmailAudience = "signed-in" | "none";

/** Jobs see no addresses, as anonymous callers. */
const isPerson = (viewer: Actor): boolean => isUser(viewer) && viewer.credential.kind !== "job";

/**
 * A user as seen by a viewer. Private data is shown only to the user and to site administrators (wire facts 4.2).
 * @param audience `none` where Gitea never shows an address: authors of comments, assignees, creators of statuses
 */
export function presentUser(user: UserView, viewer: Actor, urls: Urls, audience: EmailAudience = "signed-in"): User {
  const isPrivy = isSelf(viewer, user.id) || isSiteAdmin(viewer);
  const showsEmail = audience === "signed-in" && (isPrivy || (isPerson(viewer) && !user.hideEmail));
  return {
    id: user.id,
    login: user.name,
    login_name: isPrivy ? user.loginName : "",
    source_id: isPrivy ? user.sourceId : 0,
    full_name: user.fullName,
    email: showsEmail || (user.kind === "organization" && isUser(viewer)) ? user.email : noreplyAddress(user, urls),
    avatar_url: avatarUrl(user, urls),
    html_url: urls.web(user.name),
    language: isPrivy ? user.language : "",
    is_admin: isPrivy && user.isAdmin,
    last_login: isPrivy ? (user.lastLoginMs === 0 ? epochTime : formatTime(user.lastLoginMs)) : zeroTime,
    created: formatTime(user.createdMs),
    restricted: isPrivy && user.isRestricted,
    active: isPrivy && user.isActive,
    prohibit_login: isPrivy && user.prohibitLogin,
    location: user.location,
    website: user.website,
    description: user.description,
    visibility: user.visibility,
    followers_count: user.followersCount,
    following_count: user.followingCount,
    starred_repos_count: user.starsCount,
    username: user.name,
  };
}

/**
 * The owner of a repository: public data, with the address for signed-in viewers. @compat Gitea does not set `active` or `is_admin`
 * there, not even for the owner (repos/api/create.test.ts)
 */
export function presentOwner(user: UserView, viewer: Actor, urls: Urls): User {
  const shown = presentUser(user, { kind: "anonymous" }, urls);
  if (user.kind === "organization") return { ...shown, email: user.email };
  return isPerson(viewer) && (!user.hideEmail || isSelf(viewer, user.id) || isSiteAdmin(viewer)) ? { ...shown, email: user.email } : shown;
}

export const presentUserSettings = (settings: UserSettingsView): UserSettings => ({
  full_name: settings.fullName,
  website: settings.website,
  description: settings.description,
  location: settings.location,
  language: settings.language,
  theme: settings.theme === "" ? defaultTheme : settings.theme,
  diff_view_style: settings.diffViewStyle,
  hide_email: settings.hideEmail,
  hide_activity: settings.hideActivity,
});

export const presentMailSettings = (settings: UserSettingsView): MailSettings => ({ email_notifications: settings.emailNotifications });

/** @param text the token, known only in the response to its creation */
export const presentToken = (token: TokenView, text = ""): AccessToken => ({
  id: token.id,
  name: token.name,
  sha1: text,
  token_last_eight: token.lastEight,
  scopes: [...token.scopes],
  // @compat Gitea shows zero times in the response to the creation and real ones in lists (users/api.test.ts)
  created_at: text !== "" ? zeroTime : formatTime(token.createdMs),
  last_used_at: text !== "" ? zeroTime : formatTime(token.lastUsedMs === 0 ? token.createdMs : token.lastUsedMs),
  expires_at: token.expiresMs === null ? undefined : formatTime(token.expiresMs),
  repositories: token.repositories ?? undefined,
});

export const presentTwoFactor = ({ confirmedMs, recoveryCodes }: TwoFactorView): TwoFactor => ({
  enabled: confirmedMs !== null,
  enabled_at: confirmedMs === null ? null : formatTime(confirmedMs),
  recovery_codes_left: recoveryCodes,
});

/** An address in its owner's own list. @compat Gitea omits the owner there (users/api/emails.test.ts) */
export const presentOwnEmail = (email: EmailView): Email => ({ ...presentEmail(email), user_id: 0, username: "" });

export const presentEmail = (email: EmailView): Email => ({
  email: email.email,
  verified: email.isVerified,
  primary: email.isPrimary,
  user_id: email.accountId,
  username: email.accountName,
});
