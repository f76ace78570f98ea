import type { Html } from "./html.ts";
import { type PageProps, type RenderedPage, renderPage } from "./page.tsx";
import { sayProblem } from "./refusals.ts";
import { sharedTexts } from "./texts/shared.ts";
import { textsFor, useTexts } from "./texts/texts.ts";

export interface RefusalProps {
  readonly status: number;
  /** Why; empty where nothing more is known than the status. */
  readonly message: string;
  /** What the log calls the request. */
  readonly requestId: string;
  readonly reader: Pick<PageProps, "viewer" | "theme"> & { readonly languages: readonly string[] };
  /** Leads back to what was asked for. */
  readonly signInAddress: string;
}

const known = <T,>(entries: Readonly<Record<number, T>>, status: number): T | undefined => entries[status];

/** Why a page cannot be shown, and what can be done about it. */
export function renderRefusal(props: RefusalProps): RenderedPage {
  const { errors } = textsFor(sharedTexts, props.reader.languages);
  const title = known(errors.titles, props.status) ?? errors.otherTitle;
  return renderPage({ ...props.reader, title, status: props.status, isNarrow: true }, <Refusal {...props} />);
}

/** Words that say no more than the title does. */
const isPlain = (status: number, message: string): boolean => message === "" || status >= 500 || status === 404;

/** Who has not signed in may be told more when he has. */
const mayOpen: readonly number[] = [403, 404];

function Refusal({ status, message, requestId, reader, signInAddress }: RefusalProps): Html {
  const texts = useTexts(sharedTexts);
  const { errors } = useTexts(sharedTexts);
  const advice = known(errors.advice, status) ?? (status >= 500 ? errors.advice[500] : undefined);
  return (
    <>
      {!isPlain(status, message) && <p class="notice bad">{sayProblem(texts, message)}</p>}
      {advice !== undefined && <p>{advice}</p>}
      {reader.viewer === undefined && mayOpen.includes(status) && (
        <p>
          <a href={signInAddress}>{errors.signIn}</a>
        </p>
      )}
      <p>
        <a href="/">{errors.toFrontPage}</a>
        {" · "}
        <a href="/explore/repos">{errors.toExplore}</a>
      </p>
      {/* Made by chance, and always as long: it tells nobody whether something is hidden or not there. */}
      <p class="soft">
        {`${errors.requestId}: `}
        <code>{requestId}</code>
      </p>
    </>
  );
}
