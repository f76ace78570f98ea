import { messageTitle } from "../../../../core/commit-message.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Commit } from "../../../../git/types.ts";
import { type RepositoryName, wikiPath, withQuery } from "../../../../ui/addresses.ts";
import { Pager } from "../../../../ui/blocks.tsx";
import { ChangedLines } from "../../../../ui/changed-lines.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Rendered } from "../../../../ui/rendered.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { WikiRevision } from "../model.ts";
import type { PageName } from "../page-name.ts";
import { wikiTexts } from "../texts/texts.ts";
import { actionPath } from "./wiki.tsx";

export interface WikiRevisionsProps {
  readonly repository: RepositoryName;
  readonly name: PageName;
  readonly commits: readonly Commit[];
  readonly total: number;
  readonly page: Page;
  readonly now: number;
}

/** The history of a page, latest commit first. */
export function WikiRevisions({ repository, name, commits, total, page, now }: WikiRevisionsProps): Html {
  const texts = useTexts(wikiTexts);
  return (
    <>
      <p>
        <a href={wikiPath(repository, name.slug)}>{name.title}</a>
      </p>
      <form action={wikiPath(repository, name.slug)}>
        <input type="hidden" name="action" value="_compare" />
        {commits.length > 1 && (
          <p>
            <button type="submit">
              <Icon name="git-compare" />
              {texts.compare}
            </button>
          </p>
        )}
        <ol class="commits box">
          {commits.map(({ oid, message, author }, at) => (
            <li>
              {commits.length > 1 && (
                <span class="ends">
                  <input type="radio" name="from" value={oid} checked={at === 1} aria-label={texts.chooseOlder(oid.slice(0, 10))} title={texts.older} />
                  <input type="radio" name="to" value={oid} checked={at === 0} aria-label={texts.chooseNewer(oid.slice(0, 10))} title={texts.newer} />
                </span>
              )}
              <div class="what">
                <strong>{messageTitle(message)}</strong>
                <div class="who">
                  {author.name}
                  {", "}
                  <Ago ms={author.seconds * 1000} now={now} />
                </div>
              </div>
              <a class="oid" href={withQuery(wikiPath(repository, name.slug), { action: "_view", at: oid })} aria-label={texts.viewRevision(oid.slice(0, 10))}>
                {oid.slice(0, 10)}
              </a>
            </li>
          ))}
        </ol>
      </form>
      <Pager path={wikiPath(repository, name.slug)} query={{ action: "_revision" }} page={page} total={total} />
    </>
  );
}

export interface WikiRevisionProps {
  readonly repository: RepositoryName;
  readonly name: PageName;
  readonly revision: WikiRevision;
  readonly html: string;
  readonly now: number;
}

/** A former version, with links to the current one and to the history. */
export function WikiFormerPage({ repository, name, revision: { commit }, html, now }: WikiRevisionProps): Html {
  const texts = useTexts(wikiTexts);
  return (
    <>
      <p class="notice">
        {texts.isFormer} <a href={wikiPath(repository, name.slug)}>{texts.showPresent}</a>
        {" · "}
        <a href={actionPath(repository, name.slug, "_revision")}>{texts.history}</a>
      </p>
      <p class="soft">
        <code>{commit.oid.slice(0, 10)}</code> {messageTitle(commit.message)}
        {" · "}
        {commit.author.name}, <Ago ms={commit.author.seconds * 1000} now={now} />
      </p>
      <Rendered html={html} />
    </>
  );
}

export interface WikiComparisonProps {
  readonly repository: RepositoryName;
  readonly name: PageName;
  readonly from: WikiRevision;
  readonly to: WikiRevision;
}

/** The changes of a page between two commits. */
export function WikiComparison({ repository, name, from, to }: WikiComparisonProps): Html {
  const texts = useTexts(wikiTexts);
  const [before, after] = [from.content.toString("utf8"), to.content.toString("utf8")];
  return (
    <>
      <p>
        <a href={wikiPath(repository, name.slug)}>{name.title}</a>
        {" · "}
        <a href={actionPath(repository, name.slug, "_revision")}>{texts.history}</a>
      </p>
      {before === after ? (
        <p class="soft">{texts.sameText}</p>
      ) : (
        <section class="box">
          <header>
            <h2>
              <code>{from.commit.oid.slice(0, 10)}</code> → <code>{to.commit.oid.slice(0, 10)}</code>
            </h2>
          </header>
          <ChangedLines before={before} after={after} />
        </section>
      )}
    </>
  );
}
