import { readId } from "../../../core/ids.ts";
import { signedIn } from "../../../http/access.ts";
import { empty, list } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Session } from "../../../wire/session.ts";
import { presentSession } from "./present.ts";
import { listSessions, revokeOtherSessions, revokeSession, type SessionDeps } from "./service/sessions.ts";

/** The caller's sessions: where he is signed in, and the end of it. */
export const sessionRoutes = (deps: SessionDeps): Route[] => [
  defineRoute({
    id: "userListSessions",
    method: "GET",
    path: "/user/sessions",
    tag: "user",
    summary: "The browsers in which the caller is signed in",
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
    summary: "Sign the caller out everywhere but in the browser that asks",
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
    summary: "Sign the caller out in one browser",
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    answers: empty(),
    refusals: { 404: "notFound" },
    handle: ({ actor, params }) => revokeSession(deps, actor, readId(params.id)),
  }),
];
