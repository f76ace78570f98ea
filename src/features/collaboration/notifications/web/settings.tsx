import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import { savedAt } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { accountPaths, renderAccountSettings } from "../../../../ui/settings.tsx";
import { choice, inPlace } from "../../../../wire/schema.ts";
import { getSettings } from "../../../accounts/users/service/settings.ts";
import { channels } from "../reasons.ts";
import { getChoices, saveChoices } from "../service/choices.ts";
import { ChoicesView } from "../views/choices.tsx";

const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = accountPaths.notifications;
const channel = () => choice(...channels);
const ChoicesForm = inPlace({
  mention: channel(),
  requested: channel(),
  assign: channel(),
  author: channel(),
  comment: channel(),
  subscribed: channel(),
  watch: channel(),
});

/** Settings page of the caller's notifications. */
export const choicePages = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    ...page,
    id: "notificationSettingsPage",
    method: "GET",
    path,
    summary: "How the caller is notified, by reason",
    handle: async (request) => {
      const choices = await getChoices(deps, request.actor);
      const { emailNotifications: emails } = await getSettings(deps, request.actor);
      const props = { choices, emails, formToken: formTokenOf(requireSession(request.session)) };
      return renderAccountSettings({ ...pageReader(request), section: "notifications" }, <ChoicesView {...props} />);
    },
  }),
  defineRoute({
    ...page,
    id: "saveNotificationSettings",
    method: "POST",
    path,
    summary: "Change how the caller is notified",
    body: ChoicesForm,
    handle: async ({ actor, body }) => {
      await saveChoices(deps, actor, body);
      return savedAt(path);
    },
  }),
];
