import { accountPath, withQuery } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { FormToken } from "../../../../ui/page.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { StarList } from "../model.ts";
import { starListTexts } from "../texts/texts.ts";

export interface StarListLinksProps {
  readonly account: { readonly name: string };
  readonly lists: readonly StarList[];
  readonly current: StarList | undefined;
  /** The reader's own profile. */
  readonly isOwn: boolean;
}

/** Links to the lists of a user's stars; empty if the reader sees none and cannot create any. */
export function StarListLinks({ account, lists, current, isOwn }: StarListLinksProps): Html {
  const texts = useTexts(starListTexts);
  if (lists.length === 0 && !isOwn) return null;
  const address = (list?: number): string => withQuery(accountPath(account.name), { tab: "stars", list });
  return (
    <div class="bar">
      {lists.length > 0 && (
        <nav class="switch" aria-label={texts.title}>
          <a href={address()} {...(current === undefined && { "aria-current": "page" })}>
            {texts.all}
          </a>
          {lists.map(({ id, name, isPrivate }) => (
            <a href={address(id)} dir="auto" {...(id === current?.id && { "aria-current": "page" })}>
              {isPrivate && <Icon name="lock" label={texts.privateList} />} {name}
            </a>
          ))}
        </nav>
      )}
      {isOwn && (
        <a class="end" href={accountPaths.starLists}>
          {texts.manage}
        </a>
      )}
      {current !== undefined && current.description !== "" && (
        <p class="soft" dir="auto">
          {current.description}
        </p>
      )}
    </div>
  );
}

export interface StarListMenuProps {
  readonly repository: { readonly id: number; readonly name: string };
  readonly lists: readonly StarList[];
  /** Ids of the lists that contain the repository. */
  readonly within: ReadonlySet<number> | undefined;
  /** The list of the page, to which the form leads back. */
  readonly current: StarList | undefined;
  readonly formToken: string;
}

/** A menu that adds a starred repository to lists of the reader, and removes it. */
export function StarListMenu({ repository, lists, within, current, formToken }: StarListMenuProps): Html {
  const texts = useTexts(starListTexts);
  return (
    <details class="menu" id={`lists-${repository.id}`}>
      <summary title={texts.menu}>
        <Icon name="kebab-horizontal" label={`${texts.menu}: ${repository.name}`} />
      </summary>
      <div class="sheet">
        <form method="post" action={`${accountPaths.starLists}/contents`}>
          <FormToken value={formToken} />
          <input type="hidden" name="repository" value={String(repository.id)} />
          {current !== undefined && <input type="hidden" name="from" value={String(current.id)} />}
          {lists.map(({ id, name }) => {
            const isWithin = within?.has(id) === true;
            return (
              <button type="submit" name={isWithin ? "remove" : "add"} value={String(id)} dir="auto">
                {isWithin ? texts.removeFrom(name) : texts.addTo(name)}
              </button>
            );
          })}
        </form>
      </div>
    </details>
  );
}
