import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { withQuery } from "../../../../ui/addresses.ts";
import { Choice, Field } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { OwnList } from "../../../../ui/own-list.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { type SavedSearch, type SearchInput, searchKinds } from "../model.ts";
import { savedSearchTexts } from "../texts/texts.ts";

export interface SearchesProps {
  readonly searches: readonly SavedSearch[];
  /** The search in the form; undefined for a new one. */
  readonly present: SavedSearch | undefined;
  readonly values: SearchInput;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The saved searches of a user, with a form for a new one or for one of them. */
export function SearchesView({ searches, values, ...props }: SearchesProps): Html {
  const texts = useTexts(savedSearchTexts);
  const rowOf = ({ kind, name, query }: SavedSearch): Html => (
    <>
      <a href={withQuery(`/${kind}`, { q: query })} dir="auto">
        {name}
      </a>
      <p class="soft">
        {texts.kinds[kind]} · <code dir="auto">{query}</code>
      </p>
    </>
  );
  return (
    <OwnList
      {...props}
      path={accountPaths.searches}
      items={searches}
      nameOf={({ name }) => name}
      rowOf={rowOf}
      icon="search"
      texts={texts}
      problem={props.problem}
    >
      <Field name="name" label={texts.name} value={values.name} maxLength={lengths.line} autocomplete="off" />
      <Choice name="kind" label={texts.kind} value={values.kind} options={searchKinds.map((kind) => [kind, texts.kinds[kind]])} />
      <Field name="query" label={texts.query} value={values.query} maxLength={lengths.path} example="is:open label:bug" autocomplete="off" />
    </OwnList>
  );
}
