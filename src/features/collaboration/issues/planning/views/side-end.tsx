import { Form } from "../../../../../ui/forms.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { planningTexts } from "../../texts/texts.ts";
import type { SidebarProps } from "../sidebar-props.ts";
import { Act, changePath, LockForm, type PlannedProps } from "./plan-forms.tsx";

export const Folded = ({ title, children }: { readonly title: string; readonly children?: Html }): Html => (
  <details class="folded">
    <summary>{title}</summary>
    {children}
  </details>
);

/** Whether the reader is notified of the issue, with the button that changes it. */
export function News({ repository, issue, formToken, side }: PlannedProps & { readonly side: SidebarProps }): Html {
  const texts = useTexts(planningTexts);
  const isOn = side.isSubscribed === true;
  if (side.ignoresRepository)
    return (
      <>
        <h2>{texts.news}</h2>
        <p class="soft">{texts.ignoresRepository}</p>
      </>
    );
  return (
    <>
      <h2>{texts.news}</h2>
      <p class="soft">{isOn ? texts.isSubscribed : texts.isNotSubscribed}</p>
      <Act
        action={changePath(repository, issue, "subscription")}
        formToken={formToken}
        label={isOn ? texts.unsubscribe : texts.subscribe}
        hidden={{ wanted: String(!isOn) }}
      />
    </>
  );
}

/** Further actions on the issue. */
export function More({ repository, issue, formToken, side }: PlannedProps & { readonly side: SidebarProps }): Html {
  const texts = useTexts(planningTexts);
  const isPinned = issue.pinOrder > 0;
  return (
    <>
      <h2>{texts.more}</h2>
      <div class="bar">
        {side.canModerate && issue.isLocked && (
          <Act action={changePath(repository, issue, "lock")} formToken={formToken} label={texts.unlock} hidden={{ wanted: "false" }} />
        )}
        {!issue.isPull && (
          <a class="button small" href={changePath(repository, issue, "transfer")}>
            {texts.transfer}
          </a>
        )}
        {side.canModerate && (
          <Act
            action={changePath(repository, issue, "pin")}
            formToken={formToken}
            label={isPinned ? texts.unpin : texts.pin}
            hidden={{ wanted: String(!isPinned) }}
          />
        )}
      </div>
      {side.canModerate && !issue.isLocked && (
        <Folded title={texts.lock}>
          <LockForm repository={repository} issue={issue} formToken={formToken} />
        </Folded>
      )}
      {side.canModerate && (
        <Folded title={issue.isPull ? texts.deletePull : texts.deleteIssue}>
          <p class="hint">{texts.deleteHint}</p>
          <Form action={changePath(repository, issue, "delete")} formToken={formToken} hidden={{ confirmed: "true" }}>
            <button class="danger" type="submit">
              {texts.deleteForever}
            </button>
          </Form>
        </Folded>
      )}
    </>
  );
}
