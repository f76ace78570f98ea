import { signedIn } from "../../../http/access.ts";
import { empty } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { OwnEmailOption } from "../../../wire/email.ts";
import { askToVerify } from "./service/addresses.ts";

/** Verification emails for addresses. */
export const recoveryRoutes = (deps: Parameters<typeof askToVerify>[0]): Route[] => [
  defineRoute({
    id: "userAskToVerifyEmail",
    method: "POST",
    path: "/user/emails/verification",
    tag: "user",
    summary: "Send the verification email for one of the caller's addresses again",
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    body: OwnEmailOption,
    answers: empty(),
    refusals: { 403: "forbidden", 422: "validationError" },
    handle: ({ actor, body }) => askToVerify(deps, actor, body.email),
  }),
];
