import { Fragment, h } from "preact";
import { render } from "preact-render-to-string";
import { isForgeError } from "../core/errors.ts";
import { Problem } from "./forms.ts";
import type { Html } from "./html.ts";
import type { RenderedPage } from "./page.ts";
import { speaking, textsFor } from "./texts/texts.ts";

const mark = "slow-part";

/** Where a page's slow part will stand. */
export const SlowPart = (): Html => h(mark, null);

/** A page that is sent while a part of it is being made. */
export interface StreamedPage extends Omit<RenderedPage, "body"> {
  readonly body: { readonly pieces: AsyncIterable<Uint8Array> };
}

/**
 * Sends a page up to its {@link SlowPart} at once, and the rest when that is there. The page's status is true: whatever decides it is known
 * before this is called. A refusal that comes later stands in the part's place; any other failure cuts the page short.
 */
export function streamPage({ body, ...page }: RenderedPage, languages: readonly string[], part: Promise<Html>): StreamedPage {
  // Whoever goes away before it is asked for has nobody to tell of its failure.
  part.catch(() => undefined);
  return { ...page, body: { pieces: piecesOf(body, languages, part) } };
}

async function* piecesOf(body: string, languages: readonly string[], part: Promise<Html>): AsyncGenerator<Uint8Array> {
  const [before = "", after = ""] = body.split(`<${mark}></${mark}>`);
  yield Buffer.from(before);
  const content = await part.catch((error: unknown) => {
    if (isForgeError(error)) return h(Problem, { text: error.message });
    throw error;
  });
  yield Buffer.from(speaking(textsFor(languages), () => render(h(Fragment, null, content))) + after);
}
