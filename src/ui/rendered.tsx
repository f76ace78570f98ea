import { LRUCache } from "lru-cache";
import { render } from "preact-render-to-string";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.tsx";
import { type SharedTexts, sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

type RenderedTexts = SharedTexts["rendered"];
type AlertKind = keyof RenderedTexts["alerts"];

export interface RenderedProps {
  readonly html: string;
  /** The form with the buttons of open task items; omitted if they have none. */
  readonly taskForm?: string | undefined;
}

/**
 * HTML from the markup service or the highlighter, which is sanitized. No other string is inserted into a page unescaped.
 * Headings are moved below the page's own and linked, alerts get icons, code its language, and task checkboxes labels. Attributes of sanitized
 * HTML contain no unescaped `<`, so the patterns match elements only.
 */
export function Rendered({ html, taskForm }: RenderedProps): Html {
  const { rendered: texts } = useTexts(sharedTexts);
  const shown = taskForm === undefined ? html : withTaskButtons(html, taskForm, texts.createIssue);
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: withElements(shown, texts) }} />;
}

/** An open task item that is more than a reference. */
const openTask =
  /(<input type="checkbox" disabled data-source-position="(\d+)" \/>)(?!(?:<p(?: dir="auto")?>)?<a class="ref-issue"[^>]*>[^<]*<\/a>\s*<(?:\/p|\/li|ul|ol)\b)(?=((?:(?!<\/li>|<[uo]l\b)[\s\S]){1,2000}))/g;

/** Whether open task items of a rendered text can become issues. */
export const hasOpenTasks = (html: string): boolean => html.search(openTask) !== -1;

function withTaskButtons(html: string, form: string, label: string): string {
  const icon = render(<Icon name="issue-opened" />);
  return html.replace(
    openTask,
    first((_, box, position, content = "") => {
      const task = content
        .replace(/<[^>]*>/g, "")
        .trim()
        .replaceAll('"', "&quot;")
        .slice(0, 100);
      const attributes = `type="submit" form="${form}" name="task" value="${position}" title="${label}"`;
      return `${box}<button class="plain to-issue" ${attributes} aria-label="${label}: ${task}">${icon}</button>`;
    }),
  );
}

const alertIcons: Readonly<Record<AlertKind, IconName>> = { note: "info", tip: "light-bulb", important: "report", warning: "alert", caution: "stop" };
const alertTitle = /<p><strong class="attention-(note|tip|important|warning|caution)">[A-Z][a-z]+<\/strong><\/p>/g;
const codeStart = /<div class="code-block-container code-overflow-scroll">(<pre class="code-block[^"]*"><code class="chroma language-([\w+#.-]+) display">)/g;

/** Size of the kept results, with their texts, in UTF-16 units. */
const keptSize = 2_000_000;

/** Keeps results by rendered text. The markup service returns the same string for the same text, so most look-ups compare addresses. */
function keepByText<T extends object>(make: (html: string) => T, sizeOf: (result: T) => number): (html: string) => T {
  const kept = new LRUCache<string, T>({ maxSize: keptSize, maxEntrySize: keptSize / 8, sizeCalculation: (result, html) => html.length + sizeOf(result) + 1 });
  return (html) => {
    const known = kept.get(html);
    if (known !== undefined) return known;
    const made = make(html);
    kept.set(html, made);
    return made;
  };
}

const elementsIn = new WeakMap<RenderedTexts, (html: string) => { readonly html: string }>();

/** A text with the elements of pages, in one language. */
function withElements(html: string, texts: RenderedTexts): string {
  let keep = elementsIn.get(texts);
  if (keep === undefined) {
    keep = keepByText(
      (text) => ({ html: withPageElements(text, texts) }),
      (shown) => shown.html.length,
    );
    elementsIn.set(texts, keep);
  }
  return keep(html).html;
}

/** Further headings, alerts and code blocks of a text stay as they are: each element adds some hundred characters. */
const maxAdded = 1_000;

function withPageElements(html: string, texts: RenderedTexts): string {
  const link = render(<Icon name="link" />);
  const icons = new Map<string, string>();
  const iconOf = (kind: AlertKind): string => icons.get(kind) ?? icons.set(kind, render(<Icon name={alertIcons[kind]} />)).get(kind) ?? "";
  return html
    .replace(/<(\/?)h([1-5])\b/g, (_, end: string, level: string) => `<${end}h${Number(level) + 1}`)
    .replace(
      heading,
      first((whole, level, id) => `${whole.slice(0, -5)}<a class="anchor" href="#${id}" aria-label="${texts.headingLink}">${link}</a></h${level}>`),
    )
    .replace(
      alertTitle,
      first((_, kind) => `<p class="alert-title attention-${kind}">${iconOf(kind as AlertKind)}${texts.alerts[kind as AlertKind]}</p>`),
    )
    .replace(
      codeStart,
      first((whole, code, language) =>
        language === "text" ? whole : `<div class="code-block-container code-overflow-scroll"><span class="code-language">${language}</span>${code}`,
      ),
    )
    .replace(
      /<pre class="code-block(?: is-loading)?"/g,
      first((start) => `${start} tabindex="0"`),
    )
    .replaceAll('<input type="checkbox"', `<input aria-label="${texts.task}" type="checkbox"`);
}

type Replacement = (whole: string, ...groups: string[]) => string;

/** Replaces the first matches. */
function first(replace: Replacement): Replacement {
  let count = 0;
  return (whole, ...groups) => {
    count += 1;
    return count > maxAdded ? whole : replace(whole, ...groups);
  };
}

/** A heading with an id. Headings cannot contain other headings. */
const heading = /<h([1-6])(?: [a-z-]+="[^"]*")*? id="([^"]+)"[^>]*>(?:(?!<\/?h[1-6]\b).){0,2000}?<\/h\1>/gs;

interface Heading {
  readonly level: number;
  readonly id: string;
  /** Escaped. */
  readonly title: string;
}

/** Fewer headings need no menu; further ones are not listed. */
const minContents = 3;
const maxContents = 300;

function headingsOf(html: string): readonly Heading[] {
  const headings: Heading[] = [];
  for (const [whole, level, id = ""] of html.matchAll(heading)) {
    const title = whole.replace(/<annotation\b[^>]*>[^<]*|<[^>]*>/g, "").trim();
    if (title !== "") headings.push({ level: Number(level), id, title });
    if (headings.length === maxContents) break;
  }
  return headings;
}

const keptHeadings = keepByText(headingsOf, (headings) => 100 * headings.length);

/** A menu of the headings of a rendered text; empty if there are few. */
export function ContentsMenu({ html }: RenderedProps): Html {
  const { rendered: texts } = useTexts(sharedTexts);
  const headings = keptHeadings(html);
  if (headings.length < minContents) return null;
  const top = Math.min(...headings.map(({ level }) => level));
  return (
    <details class="menu contents">
      <summary class="button small">
        <Icon name="list-unordered" />
        <span class="text">{texts.contents}</span>
      </summary>
      <nav class="sheet" aria-label={texts.contents}>
        <ul>
          {headings.map(({ level, id, title }) => (
            <li data-depth={level - top}>
              <a href={`#${id}`} dangerouslySetInnerHTML={{ __html: title }} />
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}

/** Renders one line, for labels of fields. Text that is not a single paragraph is shown unchanged. */
export function RenderedLine({ html, text }: { readonly html: string; readonly text: string }): Html {
  const [, line] = /^\s*<p(?: [^>]*)?>((?:(?!<\/?p[\s>]).)*)<\/p>\s*$/s.exec(html) ?? [];
  return line === undefined ? <span>{text}</span> : <span class="markdown" dangerouslySetInnerHTML={{ __html: line }} />;
}
