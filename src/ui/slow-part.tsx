import { h } from "preact";
import { render } from "preact-render-to-string";
import { type ErrorCode, isForgeError } from "../core/errors.ts";
import { Problem } from "./form-problems.tsx";
import type { Html } from "./html.ts";
import type { RenderedPage } from "./page.tsx";
import { sayProblem } from "./refusals.ts";
import { sharedTexts } from "./texts/shared.ts";
import { languageFor, renderIn, useTexts } from "./texts/texts.ts";

const mark = "slow-part";

/** The position of the slow part in a page, and of the rows in a {@link PartWithRows}. */
export const SlowPart = (): Html => h(mark, null);

/** A page that is sent while a part of it is still being created. */
export interface StreamedPage extends Omit<RenderedPage, "body"> {
  readonly body: { readonly pieces: AsyncIterable<Uint8Array> };
}

/** A slow part that is too large to be rendered at once. */
export interface PartWithRows {
  /** Contains a {@link SlowPart}. */
  readonly frame: Html;
  /** The HTML in its place, which is sent while it is rendered. */
  readonly rows: AsyncIterable<string>;
}

/**
 * Sends a page up to its {@link SlowPart} immediately, and the rest when it is ready. The status must be known before the call. A later
 * ForgeError is shown in place of the part, with what the reader can do. After any other error the response is truncated, so that clients
 * do not take it for a complete page.
 * @param make creates the part; its promise is used only here, so that every rejection is handled
 */
export function streamPage({ body, ...page }: RenderedPage, languages: readonly string[], make: () => Promise<Html | PartWithRows>): StreamedPage {
  const part = make();
  // If the client disconnects first, the rejection has no receiver.
  part.catch(() => undefined);
  return { ...page, body: { pieces: piecesOf(body, languages, part) } };
}

async function* piecesOf(body: string, languages: readonly string[], part: Promise<Html | PartWithRows>): AsyncGenerator<Uint8Array> {
  const [before = "", after = ""] = splitAtMark(body);
  // biome-ignore lint/complexity/noUselessFragments: render() takes an element, and the content can be a list or text.
  const htmlOf = (content: Html): string => renderIn(languageFor(languages), () => render(<>{content}</>));
  yield Buffer.from(before);
  try {
    const made = await part;
    if (hasRows(made)) {
      const [head = "", foot = ""] = splitAtMark(htmlOf(made.frame));
      yield Buffer.from(head);
      for await (const html of made.rows) yield Buffer.from(html);
      yield Buffer.from(foot + after);
    } else yield Buffer.from(htmlOf(made) + after);
  } catch (error) {
    yield Buffer.from(htmlOf(<LateProblem error={error} />) + after);
    if (!isForgeError(error)) throw error;
  }
}

const splitAtMark = (html: string): readonly string[] => html.split(`<${mark}></${mark}>`);

const hasRows = (part: Html | PartWithRows): part is PartWithRows => typeof part === "object" && part !== null && "rows" in part;

/** Temporary errors, with the statuses that they would have as pages. */
const passing: Partial<Record<ErrorCode, 429 | 503>> = { throttled: 429, unavailable: 503 };

/** An error that occurred after the response had started. */
function LateProblem({ error }: { readonly error: unknown }): Html {
  const texts = useTexts(sharedTexts);
  const { errors } = texts;
  const status = isForgeError(error) ? passing[error.code] : undefined;
  const refusal = isForgeError(error) ? sayProblem(texts, error) : errors.broken;
  return (
    <>
      <Problem text={status === undefined ? refusal : `${errors.titles[status]}: ${errors.advice[status]}`} />
      <p>
        {/* biome-ignore lint/a11y/useValidAnchor: an empty reference reloads the page that shows it. */}
        <a class="button" href="">
          {errors.loadAgain}
        </a>
      </p>
    </>
  );
}
