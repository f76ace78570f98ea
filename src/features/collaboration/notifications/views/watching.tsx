import type { Page } from "../../../../core/paging.ts";
import { levelOf, type Watching, type WatchKind } from "../../../../core/watching.ts";
import { repositoryPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { notificationTexts } from "../texts/texts.ts";

export const watchingPath = "/notifications/watching";

export const watchingLists = ["watched", "ignored"] as const;
export type WatchingList = (typeof watchingLists)[number];

export const watchingListPath = (list: WatchingList): string => withQuery(watchingPath, { list: list === "watched" ? undefined : list });

export interface WatchingProps {
  readonly list: WatchingList;
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly page: Page;
  /** Undefined if the reader is not signed in with this browser, so nothing can be changed. */
  readonly formToken: string | undefined;
}

const kindNames = (watching: Watching, names: Readonly<Record<WatchKind, string>>): string =>
  typeof watching === "string" ? "" : watching.map((kind) => names[kind]).join(", ");

/** The repositories that the reader watches or ignores, with a button for each that stops it. */
export function WatchingView({ list, repositories, total, page, formToken }: WatchingProps): Html {
  const texts = useTexts(notificationTexts);
  const { repository: words } = useTexts(sharedTexts);
  return (
    <>
      <div class="bar">
        <nav class="switch" aria-label={texts.whichRepositories}>
          {watchingLists.map((one) => (
            <a href={watchingListPath(one)} {...(one === list && { "aria-current": "page" })}>
              {texts.repositories[one]}
            </a>
          ))}
        </nav>
        <span class="end">
          <a class="button" href={accountPaths.notifications}>
            <Icon name="gear" label={texts.settings} />
          </a>
        </span>
      </div>
      <p class="soft">{texts.watchingHint}</p>
      {total === 0 ? (
        <Empty icon="eye" title={texts.watchingNone[list]}>
          <p>
            <a class="button" href="/explore/repos">
              {texts.look}
            </a>
          </p>
        </Empty>
      ) : (
        <Rows>
          {repositories.map(({ id, owner, name, description, isPrivate, watching }) => (
            <Row
              action={
                formToken !== undefined && (
                  <Do
                    action={watchingPath}
                    formToken={formToken}
                    label={list === "watched" ? words.unwatch : texts.stopIgnoring}
                    of={`${owner.name}/${name}`}
                    hidden={{ repository: String(id), list }}
                  />
                )
              }
            >
              <Icon name={isPrivate ? "lock" : "repo"} />{" "}
              <a href={repositoryPath({ ownerName: owner.name, name })}>
                {owner.name}/<strong>{name}</strong>
              </a>
              {levelOf(watching) === "custom" && <div class="soft">{texts.kindsOf(kindNames(watching, words.watching.kinds))}</div>}
              {description !== "" && (
                <div class="soft" dir="auto">
                  {description}
                </div>
              )}
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={watchingPath} query={{ list: list === "watched" ? undefined : list }} page={page} total={total} />
    </>
  );
}
