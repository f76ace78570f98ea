import type { UserActor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { readOption, savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { bool, inPlace, text } from "../../../../wire/schema.ts";
import { MailSettingsOption, UserSettingsOptions } from "../../../../wire/user.ts";
import { defaultTheme } from "../model.ts";
import { editSettings, getSettings } from "../service/settings.ts";
import { AppearanceForm, type AppearanceValues, ProfileForm, type ProfileValues } from "../views/settings.tsx";

interface SettingsDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const ProfileFields = inPlace({
  full_name: text(),
  website: text(),
  location: text(),
  description: text(),
  hide_email: bool(),
  hide_activity: bool(),
  new_repositories_private: bool(),
  email_notifications: text(),
});
const AppearanceFields = inPlace({ language: text(), theme: text() });

const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;

/** Profile and appearance settings of the caller. */
export const userSettingsPages = (deps: SettingsDeps): Route[] => [
  defineRoute({
    ...page,
    id: "profileSettingsPage",
    method: "GET",
    path: "/user/settings",
    summary: "The caller's profile",
    handle: (request) => profilePage(deps, request),
  }),
  defineRoute({
    ...page,
    id: "saveProfileSettings",
    method: "POST",
    path: "/user/settings",
    summary: "Change the caller's profile",
    body: ProfileFields,
    handle: (request) => {
      const { actor, body } = request;
      const save = async (): Promise<RawReply> => {
        const { email_notifications: mails, new_repositories_private: newRepositoriesPrivate, ...profile } = body;
        const {
          full_name: fullName,
          website,
          location,
          description,
          hide_email: hideEmail,
          hide_activity: hideActivity,
        } = readOption(UserSettingsOptions, profile);
        const { email_notifications: emailNotifications } = readOption(MailSettingsOption, { email_notifications: mails });
        const privacy = { hideEmail, hideActivity, newRepositoriesPrivate };
        await editSettings(deps, actor, { fullName, website, location, description, ...privacy, emailNotifications });
        return savedAt("/user/settings");
      };
      return submit(save, (problem) => profilePage(deps, request, { values: body, problem }));
    },
  }),
  defineRoute({
    ...page,
    id: "appearancePage",
    method: "GET",
    path: "/user/settings/appearance",
    summary: "The caller's appearance settings",
    handle: (request) => appearancePage(deps, request),
  }),
  defineRoute({
    ...page,
    id: "saveAppearance",
    method: "POST",
    path: "/user/settings/appearance",
    summary: "Change the caller's appearance settings",
    body: AppearanceFields,
    handle: (request) => {
      const { actor, body } = request;
      const save = async (): Promise<RawReply> => {
        const { language, theme } = readOption(UserSettingsOptions, body);
        await editSettings(deps, actor, { language, theme });
        return savedAt("/user/settings/appearance");
      };
      return submit(save, (problem) => appearancePage(deps, request, { values: body, problem }));
    },
  }),
];

type OwnRequest = PageRequest & { readonly actor: UserActor };

const tokenOf = ({ session }: OwnRequest): string => formTokenOf(requireSession(session));

async function profilePage(deps: SettingsDeps, request: OwnRequest, refused?: Refused<ProfileValues>): Promise<RawReply> {
  const { fullName, website, location, description, hideEmail, hideActivity, ...others } = await getSettings(deps, request.actor);
  const values = {
    full_name: fullName,
    website,
    location,
    description,
    hide_email: hideEmail,
    hide_activity: hideActivity,
    new_repositories_private: others.newRepositoriesPrivate,
    email_notifications: others.emailNotifications,
  };
  return renderAccountSettings({ ...pageReader(request), section: "profile" }, <ProfileForm values={values} formToken={tokenOf(request)} {...refused} />);
}

async function appearancePage(deps: SettingsDeps, request: OwnRequest, refused?: Refused<AppearanceValues>): Promise<RawReply> {
  const { language, theme } = await getSettings(deps, request.actor);
  const values = { language, theme: theme === "" ? defaultTheme : theme };
  return renderAccountSettings({ ...pageReader(request), section: "appearance" }, <AppearanceForm values={values} formToken={tokenOf(request)} {...refused} />);
}
