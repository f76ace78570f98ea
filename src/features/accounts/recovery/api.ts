import { signedIn } from "../../../http/access.ts";
import { empty } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { OwnEmailOption } from "../../../wire/email.ts";
import { askToVerify } from "./service/addresses.ts";

/** Letters by which addresses are shown to be somebody's. */
export const recoveryRoutes = (deps: Parameters<typeof askToVerify>[0]): Route[] => [
  defineRoute({
    id: "userAskToVerifyEmail",
    method: "POST",
    path: "/user/emails/verification",
    tag: "user",
    summary: "Send the letter once more that shows an address to be the caller's",
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    body: OwnEmailOption,
    answers: empty(),
    refusals: { 403: "forbidden", 422: "validationError" },
    handle: ({ actor, body }) => askToVerify(deps, actor, body.email),
  }),
];
