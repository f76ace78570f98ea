import { h } from "preact";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { Moment } from "../../../ui/time.ts";
import type { SessionView } from "../view.ts";

export interface SessionsFacts {
  readonly sessions: readonly SessionView[];
  /** The one whose browser asks. */
  readonly currentId: number | undefined;
  readonly formToken: string;
}

export const SessionsView = ({ sessions, currentId, formToken }: SessionsFacts): Html => [
  h("p", null, "You are signed in with these browsers. Sign out what you do not know, and change your password then."),
  h(
    Rows,
    null,
    sessions.map((session) => {
      const name = session.userAgent || "A browser that does not say which";
      const isCurrent = session.id === currentId;
      return h(
        Row,
        {
          action: isCurrent ? h("strong", null, "This browser") : h(Do, { action: `/user/sessions/${session.id}/end`, formToken, label: "Sign out", of: name }),
        },
        h("div", null, name),
        h("div", { class: "soft" }, session.address, ", signed in ", h(Moment, { ms: session.createdMs }), ", last seen ", h(Moment, { ms: session.seenMs })),
      );
    }),
  ),
  sessions.length > 1 && h(Do, { action: "/user/sessions/end", formToken, label: "Sign out everywhere else", of: "all other browsers" }),
];
