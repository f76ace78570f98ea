import { h } from "preact";
import { render } from "preact-render-to-string";
import { type ErrorCode, isForgeError } from "../core/errors.ts";
import { Problem } from "./forms.tsx";
import type { Html } from "./html.ts";
import type { RenderedPage } from "./page.tsx";
import { sayProblem } from "./refusals.ts";
import { sharedTexts } from "./texts/shared.ts";
import { languageFor, renderIn, useTexts } from "./texts/texts.ts";

const mark = "slow-part";

/** Where a page's slow part will stand. */
export const SlowPart = (): Html => h(mark, null);

/** A page that is sent while a part of it is being made. */
export interface StreamedPage extends Omit<RenderedPage, "body"> {
  readonly body: { readonly pieces: AsyncIterable<Uint8Array> };
}

/**
 * Sends a page up to its {@link SlowPart} at once, and the rest when that is there. The page's status is true: whatever decides it is known
 * before this is called. What goes wrong later is said in the part's place, with what to do about it; behind any failure that is no refusal the
 * answer is cut short, so that programs are not told of a page that is none.
 * @param make begins the part; nobody else has its promise, so none fails unheard
 */
export function streamPage({ body, ...page }: RenderedPage, languages: readonly string[], make: () => Promise<Html>): StreamedPage {
  const part = make();
  // Whoever goes away before it is asked for has nobody to tell of its failure.
  part.catch(() => undefined);
  return { ...page, body: { pieces: piecesOf(body, languages, part) } };
}

async function* piecesOf(body: string, languages: readonly string[], part: Promise<Html>): AsyncGenerator<Uint8Array> {
  const [before = "", after = ""] = body.split(`<${mark}></${mark}>`);
  // biome-ignore lint/complexity/noUselessFragments: render() takes an element, and the content can be a list or text.
  const rest = (content: Html): Buffer => Buffer.from(renderIn(languageFor(languages), () => render(<>{content}</>)) + after);
  yield Buffer.from(before);
  try {
    yield rest(await part);
  } catch (error) {
    yield rest(<LateProblem error={error} />);
    if (!isForgeError(error)) throw error;
  }
}

/** What of a refusal a second try changes, by the status of the page that would say so. */
const passing: Partial<Record<ErrorCode, 429 | 503>> = { throttled: 429, unavailable: 503 };

/** What went wrong after a page had begun. */
function LateProblem({ error }: { readonly error: unknown }): Html {
  const texts = useTexts(sharedTexts);
  const { errors } = texts;
  const status = isForgeError(error) ? passing[error.code] : undefined;
  const refusal = isForgeError(error) ? sayProblem(texts, error.message) : errors.broken;
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
