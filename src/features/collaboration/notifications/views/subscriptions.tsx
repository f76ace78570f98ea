import type { Page } from "../../../../core/paging.ts";
import { withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { IssueView } from "../../issues/model.ts";
import { IssueRows } from "../../issues/search/views/issue-rows.tsx";
import type { TaskProgress } from "../../issues/tasks/service/progress.ts";
import { planningTexts } from "../../issues/texts/texts.ts";
import { notificationTexts } from "../texts/texts.ts";
import { watchingPath } from "./watching.tsx";

export const subscriptionsPath = "/notifications/subscriptions";

export const subscriptionStates = ["open", "closed", "all"] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];
export const subscriptionKinds = ["all", "issues", "pulls"] as const;
export type SubscriptionKind = (typeof subscriptionKinds)[number];

export interface SubscriptionsProps {
  readonly issues: readonly IssueView[];
  readonly progress: TaskProgress;
  readonly total: number;
  readonly page: Page;
  readonly state: SubscriptionState;
  readonly kind: SubscriptionKind;
  /** Undefined if the reader is not signed in with this browser, so nothing can be changed. */
  readonly formToken: string | undefined;
  readonly now: number;
}

const queryOf = (state: SubscriptionState, kind: SubscriptionKind) => ({
  state: state === "open" ? undefined : state,
  issueType: kind === "all" ? undefined : kind,
});

/** The issues and pull requests that the reader is subscribed to, with a button for each that unsubscribes. */
export function SubscriptionsView({ issues, progress, total, page, state, kind, formToken, now }: SubscriptionsProps): Html {
  const texts = useTexts(notificationTexts);
  const { unsubscribe } = useTexts(planningTexts);
  const link = (query: ReturnType<typeof queryOf>, text: string, isCurrent: boolean): Html => (
    <a href={withQuery(subscriptionsPath, query)} {...(isCurrent && { "aria-current": "page" })}>
      {text}
    </a>
  );
  return (
    <>
      <p class="soft">
        {texts.subscriptionsHint} <a href={watchingPath}>{texts.watching}</a>
      </p>
      <section class="box">
        <header class="list-header">
          <nav class="switch" aria-label={texts.whichStates}>
            {subscriptionStates.map((one) => link(queryOf(one, kind), texts.subscriptionStates[one], one === state))}
          </nav>
          <nav class="switch end" aria-label={texts.whichKinds}>
            {subscriptionKinds.map((one) => link(queryOf(state, one), texts.subscriptionKinds[one], one === kind))}
          </nav>
        </header>
        {issues.length === 0 ? (
          <Empty icon="bell" title={texts.subscriptionsNone[state]} />
        ) : (
          <IssueRows
            issues={issues}
            progress={progress}
            now={now}
            showsRepository
            {...(formToken !== undefined && {
              actionsOf: ({ place, number, title }: IssueView) => (
                <Do
                  action={withQuery(subscriptionsPath, { ...queryOf(state, kind), page: page.page === 1 ? undefined : page.page })}
                  formToken={formToken}
                  label={unsubscribe}
                  of={title}
                  hidden={{ repository: String(place.id), number: String(number) }}
                />
              ),
            })}
          />
        )}
      </section>
      <Pager path={subscriptionsPath} query={queryOf(state, kind)} page={page} total={total} />
    </>
  );
}
