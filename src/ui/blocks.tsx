import type { Page } from "../core/paging.ts";
import { type RepositoryName, repositoryPath, topicPath, withQuery } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Revealed, revealedHtml } from "./revealed.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** The block is the whole content: its title is the heading of the page. */
  readonly isWholePage?: boolean;
  readonly children?: Html;
}

/** An empty state, with what to do next. */
export const Empty = ({ icon, title, isWholePage, children }: EmptyProps): Html => {
  const Heading = isWholePage ? "h1" : "h2";
  return (
    <section class="empty">
      <Icon name={icon} />
      <Heading>{title}</Heading>
      {children}
    </section>
  );
};

/** The empty state of pages that need commits, with a link to create the first one. */
export const NoCommits = ({ repository, icon, title }: { readonly repository: RepositoryName; readonly icon: IconName; readonly title: string }): Html => {
  const texts = useTexts(sharedTexts).repository;
  return (
    <Empty icon={icon} title={title}>
      <p>{texts.comesWithCommits}</p>
      <p>
        <a class="button" href={repositoryPath(repository)}>
          {texts.howToBegin}
        </a>
      </p>
    </Empty>
  );
};

export interface PagerProps {
  readonly path: string;
  /** Query parameters other than the page number. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly page: Page;
  /** Undefined if it is not known. */
  readonly total: number | undefined;
  /** Whether a page follows, if the total is not known. */
  readonly hasNext?: boolean;
  /** Distinguishes several of one page for screen readers. */
  readonly label?: string;
}

/**
 * Page numbers to show: the first, the last, and those around the current one; undefined for a gap.
 * @param last the current one if it is not known
 */
export function shownPages(current: number, last: number): readonly (number | undefined)[] {
  const numbers = [1, current - 1, current, current + 1, last].filter((number) => number >= 1 && number <= last);
  const unique = [...new Set(numbers)].sort((a, b) => a - b);
  return unique.flatMap((number, at) => {
    const before = unique[at - 1] ?? 0;
    if (number === before + 2) return [number - 1, number];
    return number > before + 2 ? [undefined, number] : [number];
  });
}

/** Links to the pages of a list; empty if there is only one. */
export function Pager({ path, query = {}, page, total, hasNext = false, label }: PagerProps): Html {
  const { pages } = useTexts(sharedTexts);
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / page.limit));
  const isLast = last === undefined ? !hasNext : page.page >= last;
  if (isLast && page.page === 1) return null;
  const address = (number: number): string => withQuery(path, { ...query, page: number === 1 ? undefined : number });
  if (last !== undefined && page.page > last)
    return (
      <p class="notice">
        {pages.beyond(page.page)} <a href={address(last)}>{pages.lastOne(last)}</a>
      </p>
    );
  return (
    <nav class="pager" aria-label={label ?? pages.of}>
      {page.page > 1 && (
        <a href={address(page.page - 1)} rel="prev">
          {pages.previousPage}
        </a>
      )}
      {shownPages(page.page, last ?? page.page).map((number) =>
        number === undefined ? (
          <span class="soft">…</span>
        ) : number === page.page ? (
          <strong aria-current="page">{number}</strong>
        ) : (
          <a href={address(number)} aria-label={pages.page(number)}>
            {number}
          </a>
        ),
      )}
      {!isLast && (
        <a href={address(page.page + 1)} rel="next">
          {pages.nextPage}
        </a>
      )}
    </nav>
  );
}

/** One string instead of elements: a file can have 100,000 lines. */
function lineNumbers(count: number): string {
  let html = "";
  for (let line = 1; line <= count; line += 1) html += `<a id="L${line}" href="#L${line}">${line}</a>`;
  return html;
}

/** Code with line numbers, which link to their lines. */
export function CodeLines({ text, html }: { readonly text: string; readonly html: string | undefined }): Html {
  const lines = lineCount(text);
  return (
    <div class="lines" data-digits={`${lines}`.length}>
      <div class="numbers" dangerouslySetInnerHTML={{ __html: lineNumbers(lines) }} />
      <pre tabIndex={0}>
        {html === undefined ? (
          <code>
            <Revealed text={text} />
          </code>
        ) : (
          <code dangerouslySetInnerHTML={{ __html: revealedHtml(html) }} />
        )}
      </pre>
    </div>
  );
}

/** The number of lines as an editor counts them: a final line break does not start another line. */
export const lineCount = (text: string): number => (text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0));

/** The topics of a repository, with links to other repositories that have them. */
export const Topics = ({ topics }: { readonly topics: readonly string[] }): Html => (
  <ul class="chips">
    {topics.map((topic) => (
      <li>
        <a class="badge" href={topicPath(topic)}>
          {topic}
        </a>
      </li>
    ))}
  </ul>
);

/** A box that shows a text as it is. */
export const TextBox = ({ title, text }: { readonly title: string; readonly text: string }): Html => (
  <section class="box">
    <header>
      <h2>{title}</h2>
    </header>
    <pre class="message within">{text}</pre>
  </section>
);
