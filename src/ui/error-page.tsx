import { usualReasons } from "../core/errors.ts";
import type { Explained, Reason } from "../core/reasons.ts";
import type { Html } from "./html.ts";
import { type PageProps, type RenderedPage, renderPage } from "./page.tsx";
import { sayProblem } from "./refusals.ts";
import { sharedTexts } from "./texts/shared.ts";
import { textsFor, useTexts } from "./texts/texts.ts";

export interface RefusalProps extends Explained {
  readonly status: number;
  /** The id of the request in the log. */
  readonly requestId: string;
  readonly reader: Pick<PageProps, "viewer" | "theme"> & { readonly languages: readonly string[] };
  /** Redirects back to the requested page after the sign-in. */
  readonly signInAddress: string;
  /** Texts of the refused form, to be copied. */
  readonly typed?: readonly string[] | undefined;
}

const known = <T,>(entries: Readonly<Record<number, T>>, status: number): T | undefined => entries[status];

/** Renders the page of an error, with what the reader can do. */
export function renderRefusal(props: RefusalProps): RenderedPage {
  const { errors } = textsFor(sharedTexts, props.reader.languages);
  const title = known(errors.titles, props.status) ?? errors.otherTitle;
  return renderPage({ ...props.reader, title, status: props.status, isNarrow: true }, <Refusal {...props} />);
}

/** Reasons that add nothing to the title and the advice. */
const usual: ReadonlySet<Reason | undefined> = new Set([undefined, ...Object.values(usualReasons)]);

/** Statuses that a visitor may avoid by signing in. */
const mayOpen: readonly number[] = [403, 404];

function Refusal({ status, message, reason, requestId, reader, signInAddress, typed = [] }: RefusalProps): Html {
  const texts = useTexts(sharedTexts);
  const { errors } = texts;
  // A reason of its own says what to do next, and the owner cannot help with most of them.
  const isExplained = status === 403 && !usual.has(reason);
  const advice = isExplained ? undefined : (known(errors.advice, status) ?? (status >= 500 ? errors.advice[500] : undefined));
  return (
    <>
      {!usual.has(reason) && <p class="notice bad">{sayProblem(texts, { message, reason })}</p>}
      {advice !== undefined && <p>{advice}</p>}
      {typed.map((text, at) => (
        <div class="field">
          <label for={`typed-${at}`}>{errors.typed}</label>
          <textarea id={`typed-${at}`} rows={8} readonly value={text} />
        </div>
      ))}
      {reader.viewer === undefined && mayOpen.includes(status) && (
        <p>
          <a href={signInAddress}>{errors.signIn}</a>
        </p>
      )}
      {reason === "link_expired" && (
        <p>{reader.viewer === undefined ? <a href="/user/login">{errors.newEmail}</a> : <a href="/user/settings/account">{errors.ownEmails}</a>}</p>
      )}
      <p>
        <a href="/">{errors.toFrontPage}</a>
        {" · "}
        <a href="/explore/repos">{errors.toExplore}</a>
      </p>
      {/* Random and of constant length, so that it does not reveal whether a hidden page exists. */}
      <p class="soft">
        {`${errors.requestId}: `}
        <code>{requestId}</code>
      </p>
    </>
  );
}
