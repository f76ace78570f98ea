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
  readonly total: number;
}

/** Links to the previous and next page; empty if there is only one page. */
export function Pager({ path, query = {}, page, total }: PagerProps): Html {
  const { pages } = useTexts(sharedTexts);
  const last = Math.max(1, Math.ceil(total / page.limit));
  if (last === 1 && page.page === 1) return null;
  const address = (number: number): string => withQuery(path, { ...query, page: number === 1 ? undefined : number });
  return (
    <nav class="pager" aria-label={pages.of}>
      {page.page > 1 && (
        <a href={address(Math.min(page.page - 1, last))} rel="prev">
          {pages.previousPage}
        </a>
      )}
      <span class="soft">{`${page.page} / ${last}`}</span>
      {page.page < last && (
        <a href={address(page.page + 1)} rel="next">
          {pages.nextPage}
        </a>
      )}
    </nav>
  );
}

/**
 * HTML from the markup service or the highlighter, which is sanitized. No other string is inserted into a page unescaped.
 * Headings are moved below the page's own, and task checkboxes get labels. Attributes of sanitized HTML contain no unescaped `<`, so the
 * patterns match elements only.
 */
export function Rendered({ html }: { readonly html: string }): Html {
  const { task } = useTexts(sharedTexts);
  const placed = html.replace(/<(\/?)h([1-5])\b/g, (_, end: string, level: string) => `<${end}h${Number(level) + 1}`);
  const named = placed.replaceAll('<input type="checkbox"', `<input aria-label="${task}" type="checkbox"`);
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: named }} />;
}

/** Renders one line, for labels of fields. Text that is not a single paragraph is shown unchanged. */
export function RenderedLine({ html, text }: { readonly html: string; readonly text: string }): Html {
  const [, line] = /^\s*<p(?: [^>]*)?>((?:(?!<\/?p[\s>]).)*)<\/p>\s*$/s.exec(html) ?? [];
  return line === undefined ? <span>{text}</span> : <span class="markdown" dangerouslySetInnerHTML={{ __html: line }} />;
}

/** One string instead of elements: a file can have 100,000 lines. */
function lineNumbers(count: number): string {
  let html = "";
  for (let line = 1; line <= count; line += 1) html += `<a id="L${line}" href="#L${line}">${line}</a>`;
  return html;
}

/** Code with line numbers, which link to their lines. */
export function CodeLines({ text, html }: { readonly text: string; readonly html: string | undefined }): Html {
  return (
    <div class="lines">
      <div class="numbers" dangerouslySetInnerHTML={{ __html: lineNumbers(lineCount(text)) }} />
      <pre>
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
