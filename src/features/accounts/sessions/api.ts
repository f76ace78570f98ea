import { readId } from "../../../core/ids.ts";
import { signedIn } from "../../../http/access.ts";
import { empty, list } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Session } from "../../../wire/session.ts";
import { presentSession } from "./present.ts";
import { listSessions, revokeOtherSessions, revokeSession, type SessionDeps } from "./service/sessions.ts";

/** Lists and ends the caller's browser sessions. */
export const sessionRoutes = (deps: SessionDeps): Route[] => [
  defineRoute({
    id: "userListSessions",
    method: "GET",
    path: "/user/sessions",
    tag: "user",
    summary: "List the caller's browser sessions",
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    answers: list(Session, "links"),
    handle: async ({ actor, page }) => {
      const { items, total } = await listSessions(deps, actor, page);
      return { total, items: items.map((session) => presentSession(session, actor)) };
    },
  }),
  defineRoute({
    id: "userDeleteSessions",
    method: "DELETE",
    path: "/user/sessions",
    tag: "user",
    summary: "End all of the caller's sessions except the requesting one",
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    answers: empty(),
    handle: ({ actor }) => revokeOtherSessions(deps, actor),
  }),
  defineRoute({
    id: "userDeleteSession",
    method: "DELETE",
    path: "/user/sessions/{id}",
    tag: "user",
    summary: "End one of the caller's sessions",
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    answers: empty(),
    refusals: { 404: "notFound" },
    handle: ({ actor, params }) => revokeSession(deps, actor, readId(params.id)),
  }),
];
