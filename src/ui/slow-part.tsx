import { h } from "preact";
import { type ErrorCode, isForgeError } from "../core/errors.ts";
import { Problem } from "./form-problems.tsx";
import type { Html } from "./html.ts";
import type { RenderedPage } from "./page.tsx";
import { sayProblem } from "./refusals.ts";
import { renderInTurns } from "./render-in-turns.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { languageFor, useTexts } from "./texts/texts.ts";

const mark = "slow-part";

/** The position of the slow part in a page. */
export const SlowPart = (): Html => h(mark, null);

/** A page that is sent while a part of it is still being created. */
export interface StreamedPage extends Omit<RenderedPage, "body"> {
  readonly body: { readonly pieces: AsyncIterable<Uint8Array> };
}

/**
 * Sends a page up to its {@link SlowPart} immediately, and the rest when it is ready; its lists are rendered in turns and sent meanwhile. The status must
 * be known before the call. A later ForgeError is shown in place of the part, with what the reader can do. After any other error the response is truncated, so that clients
 * do not take it for a complete page.
 * @param slow the part if it is only slow to render, or a function that creates it; the promise is used only here, so that every rejection is handled
 */
export function streamPage({ body, ...page }: RenderedPage, languages: readonly string[], slow: Html | (() => Promise<Html>)): StreamedPage {
  const part = typeof slow === "function" ? slow() : Promise.resolve(slow);
  // If the client disconnects first, the rejection has no receiver.
  part.catch(() => undefined);
  return { ...page, body: { pieces: piecesOf(body, languages, part) } };
}

async function* piecesOf(body: string, languages: readonly string[], part: Promise<Html>): AsyncGenerator<Uint8Array> {
  const [before = "", after = ""] = body.split(`<${mark}></${mark}>`);
  yield Buffer.from(before);
  try {
    yield* within(languages, await part, after);
  } catch (error) {
    yield* within(languages, <LateProblem error={error} />, after);
    if (!isForgeError(error)) throw error;
  }
}

async function* within(languages: readonly string[], content: Html, after: string): AsyncGenerator<Uint8Array> {
  let ready = "";
  for await (const html of renderInTurns(languageFor(languages), content)) {
    if (ready !== "") yield Buffer.from(ready);
    ready = html;
  }
  yield Buffer.from(ready + after);
}

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
