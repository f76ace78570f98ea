import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { withQuery } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { Choice, Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { EditAndDelete, Row, Rows } from "../../../../ui/rows.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
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
export function SearchesView({ searches, present, values, problem, formToken }: SearchesProps): Html {
  const texts = useTexts(savedSearchTexts);
  const { forms } = useTexts(sharedTexts);
  const path = accountPaths.searches;
  return (
    <>
      {searches.length === 0 ? (
        <Empty icon="search" title={texts.none}>
          <p>{texts.hint}</p>
        </Empty>
      ) : (
        <Rows>
          {searches.map(({ id, kind, name, query }) => (
            <Row action={<EditAndDelete edit={`${withQuery(path, { edit: id })}#form`} deletion={`${path}/${id}/delete`} formToken={formToken} of={name} />}>
              <a href={withQuery(`/${kind}`, { q: query })} dir="auto">
                {name}
              </a>
              <p class="soft">
                {texts.kinds[kind]} · <code dir="auto">{query}</code>
              </p>
            </Row>
          ))}
        </Rows>
      )}
      <section id="form">
        <h2 dir="auto">{present === undefined ? texts.add : texts.edit(present.name)}</h2>
        <Form action={present === undefined ? path : `${path}/${present.id}`} formToken={formToken} problem={problem} isOnce={present === undefined}>
          <Field name="name" label={texts.name} value={values.name} maxLength={lengths.line} autocomplete="off" />
          <Choice name="kind" label={texts.kind} value={values.kind} options={searchKinds.map((kind) => [kind, texts.kinds[kind]])} />
          <Field name="query" label={texts.query} value={values.query} maxLength={lengths.path} example="is:open label:bug" autocomplete="off" />
          <Submit label={present === undefined ? texts.create : texts.save} />
        </Form>
        {present !== undefined && (
          <p>
            <a href={path}>{forms.cancel}</a>
          </p>
        )}
      </section>
    </>
  );
}
