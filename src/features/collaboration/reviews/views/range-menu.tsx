import { messageTitle } from "../../../../core/commit-message.ts";
import type { Commit } from "../../../../git/types.ts";
import { pullPath, type RepositoryName } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { maxListedCommits } from "../../pulls/model.ts";
import { reviewTexts } from "../texts/texts.ts";

export interface RangeMenuProps {
  readonly repository: RepositoryName;
  readonly number: number;
  /** The commits of the pull request, newest first. */
  readonly commits: readonly Commit[];
  /** The shown commits; undefined: all. */
  readonly selected: readonly Commit[] | undefined;
  /** The reader has submitted a review. */
  readonly hasReviewed: boolean;
}

/** Links to the changes of single commits and since the last review, and a form for a range of commits. */
export function RangeMenu({ repository, number, commits, selected, hasReviewed }: RangeMenuProps): Html {
  const texts = useTexts(reviewTexts);
  const path = `${pullPath(repository, number)}/files`;
  const shown = commits.slice(0, maxListedCommits);
  const [newest, oldest] = [shown[0], shown.at(-1)];
  if (newest === undefined || oldest === undefined) return null;
  const isOnly = (oid: string): boolean => selected?.length === 1 && selected[0]?.oid === oid;
  const options = (chosen: string | undefined): Html =>
    shown.map(({ oid, message }) => <option value={oid} selected={oid === chosen}>{`${oid.slice(0, 10)} ${messageTitle(message).slice(0, 60)}`}</option>);
  return (
    <details class="menu commit-range">
      <summary class="button small">
        {selected === undefined ? texts.allCommits : texts.rangeOf(selected.length)}
        <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        <a href={path} {...(selected === undefined && { "aria-current": "true" })}>
          {texts.allCommits}
        </a>
        {hasReviewed && <a href={`${path}/since-review`}>{texts.sinceReview}</a>}
        {shown.length > 1 && (
          <form class="stack" action={`${path}/range`}>
            <div class="field">
              <label for="range-from">{texts.rangeFrom}</label>
              <select id="range-from" name="from">
                {options(selected?.at(-1)?.oid ?? oldest.oid)}
              </select>
            </div>
            <div class="field">
              <label for="range-to">{texts.rangeTo}</label>
              <select id="range-to" name="to">
                {options(selected?.[0]?.oid ?? newest.oid)}
              </select>
            </div>
            <div>
              <button class="small" type="submit">
                {texts.showRange}
              </button>
            </div>
          </form>
        )}
        <hr />
        {shown.map(({ oid, message }) => (
          <a href={`${path}/${oid}`} {...(isOnly(oid) && { "aria-current": "true" })}>
            <code class="oid">{oid.slice(0, 10)}</code>
            <span dir="auto">{messageTitle(message)}</span>
          </a>
        ))}
        {commits.length > shown.length && <span class="soft">{texts.olderOnly(shown.length)}</span>}
      </div>
    </details>
  );
}
