import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import { browserName } from "../browser-name.ts";
import type { SessionView } from "../model.ts";
import { signInTexts } from "../texts/texts.ts";

export interface SessionsProps {
  readonly sessions: readonly SessionView[];
  /** The requesting browser's session. */
  readonly currentId: number | undefined;
  readonly formToken: string;
}

export function SessionsView({ sessions, currentId, formToken }: SessionsProps): Html {
  const texts = useTexts(signInTexts).sessions;
  return (
    <>
      <p>{texts.lead}</p>
      <Rows>
        {sessions.map((session) => {
          const name = browserName(session.userAgent) || texts.unnamed;
          const isCurrent = session.id === currentId;
          return (
            <Row
              action={
                isCurrent ? (
                  <span class="badge good">{texts.current}</span>
                ) : (
                  <Do action={`/user/sessions/${session.id}/end`} formToken={formToken} label={texts.end} of={name} />
                )
              }
            >
              <div title={session.userAgent}>
                <strong>{name}</strong>
              </div>
              <div class="soft">
                {`${session.address}, ${texts.begun} `}
                <Moment ms={session.createdMs} />
                {`, ${texts.seen} `}
                <Moment ms={session.seenMs} />
              </div>
            </Row>
          );
        })}
      </Rows>
      {sessions.length > 1 && <Do action="/user/sessions/end" formToken={formToken} label={texts.endOthers} of={texts.others} />}
    </>
  );
}
