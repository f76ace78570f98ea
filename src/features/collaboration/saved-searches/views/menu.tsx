import { lengths } from "../../../../core/lengths.ts";
import { withQuery } from "../../../../ui/addresses.ts";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { SavedSearch, SearchKind } from "../model.ts";
import { savedSearchTexts } from "../texts/texts.ts";

export interface SearchMenuProps {
  readonly kind: SearchKind;
  /** The query of the list. */
  readonly typed: string;
  readonly searches: readonly SavedSearch[];
  /** Undefined if the reader is not signed in with this browser, so nothing can be saved. */
  readonly formToken: string | undefined;
}

/** The saved searches of a list, with a form that saves its present query. */
export function SearchMenu({ kind, typed, searches, formToken }: SearchMenuProps): Html {
  const texts = useTexts(savedSearchTexts);
  const listed = searches.filter((search) => search.kind === kind);
  const current = listed.find(({ query }) => query === typed.trim());
  return (
    <details class="menu filter searches">
      <summary class="button">
        <span dir="auto">{current?.name ?? texts.title}</span>
        {current === undefined && listed.length > 0 && <span class="counter">{listed.length}</span>}
        <Icon name="triangle-down" />
      </summary>
      <div class="sheet">
        {listed.length === 0 && <p class="soft">{texts.none}</p>}
        {listed.map((search) => (
          <a href={withQuery(`/${kind}`, { q: search.query })} title={search.query} {...(search === current && { "aria-current": "true" })}>
            <span class="mark">{search === current && <Icon name="check" />}</span>
            <span dir="auto">{search.name}</span>
          </a>
        ))}
        {formToken !== undefined && current === undefined && typed.trim() !== "" && (
          <>
            <hr />
            <strong>{texts.saveThis}</strong>
            <Form action={accountPaths.searches} formToken={formToken} hidden={{ kind, query: typed, from: "list" }} name="search" isOnce isInline>
              <Field name="name" label={texts.name} maxLength={lengths.line} autocomplete="off" />
              <Submit label={texts.create} />
            </Form>
          </>
        )}
        <hr />
        <a class="soft" href={accountPaths.searches}>
          {texts.manage}
        </a>
      </div>
    </details>
  );
}
