import { h } from "preact";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Moment } from "../../../ui/time.ts";
import { browserName } from "../browser-name.ts";
import type { SessionView } from "../view.ts";

export interface SessionsFacts {
  readonly sessions: readonly SessionView[];
  /** The one whose browser asks. */
  readonly currentId: number | undefined;
  readonly formToken: string;
}

export function SessionsView({ sessions, currentId, formToken }: SessionsFacts): Html {
  const { sessions: texts } = useTexts().security;
  return [
    h("p", null, texts.lead),
    h(
      Rows,
      null,
      sessions.map((session) => {
        const name = browserName(session.userAgent) || texts.unnamed;
        const isCurrent = session.id === currentId;
        return h(
          Row,
          {
            action: isCurrent
              ? h("span", { class: "badge good" }, texts.current)
              : h(Do, { action: `/user/sessions/${session.id}/end`, formToken, label: texts.end, of: name }),
          },
          h("div", { title: session.userAgent }, h("strong", null, name)),
          h(
            "div",
            { class: "soft" },
            `${session.address}, ${texts.begun} `,
            h(Moment, { ms: session.createdMs }),
            `, ${texts.seen} `,
            h(Moment, { ms: session.seenMs }),
          ),
        );
      }),
    ),
    sessions.length > 1 && h(Do, { action: "/user/sessions/end", formToken, label: texts.endOthers, of: texts.others }),
  ];
}
