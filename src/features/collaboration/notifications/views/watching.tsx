import type { Page } from "../../../../core/paging.ts";
import { repositoryPath } from "../../../../ui/addresses.ts";
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

export interface WatchingProps {
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly page: Page;
  /** Undefined if the reader is not signed in with this browser, so nothing can be changed. */
  readonly formToken: string | undefined;
}

/** The repositories that the reader watches, with a button for each that stops it. */
export function WatchingView({ repositories, total, page, formToken }: WatchingProps): Html {
  const texts = useTexts(notificationTexts);
  const { repository: words } = useTexts(sharedTexts);
  return (
    <>
      <div class="bar">
        <span class="soft">{texts.watchingHint}</span>
        <span class="end">
          <a class="button" href={accountPaths.notifications}>
            <Icon name="gear" label={texts.settings} />
          </a>
        </span>
      </div>
      {total === 0 ? (
        <Empty icon="eye" title={texts.watchingNone}>
          <p>
            <a class="button" href="/explore/repos">
              {texts.look}
            </a>
          </p>
        </Empty>
      ) : (
        <Rows>
          {repositories.map(({ id, owner, name, description, isPrivate }) => (
            <Row
              action={
                formToken !== undefined && (
                  <Do action={watchingPath} formToken={formToken} label={words.unwatch} of={`${owner.name}/${name}`} hidden={{ repository: String(id) }} />
                )
              }
            >
              <Icon name={isPrivate ? "lock" : "repo"} />{" "}
              <a href={repositoryPath({ ownerName: owner.name, name })}>
                {owner.name}/<strong>{name}</strong>
              </a>
              {description !== "" && (
                <div class="soft" dir="auto">
                  {description}
                </div>
              )}
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={watchingPath} page={page} total={total} />
    </>
  );
}
