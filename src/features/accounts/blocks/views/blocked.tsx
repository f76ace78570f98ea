import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import { Account } from "../../../../ui/avatar.tsx";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Field, Form, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { UserView } from "../../users/model.ts";
import { blockTexts } from "../texts/texts.ts";

export interface BlockValues {
  readonly name: string;
  readonly note: string;
}

export interface BlockedProps {
  /** The kind of the blocker. */
  readonly kind: "user" | "organization";
  readonly path: string;
  readonly users: readonly UserView[];
  readonly total: number;
  readonly page: Page;
  readonly values: BlockValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function BlockedView({ kind, path, users, total, page, values, problem, formToken }: BlockedProps): Html {
  const texts = useTexts(blockTexts);
  return (
    <>
      {users.length === 0 ? (
        <Empty icon="circle-slash" title={texts.none[kind]}>
          <p>{texts.hint[kind]}</p>
        </Empty>
      ) : (
        <Rows>
          {users.map((user) => (
            <Row action={<Unblock path={path} name={user.name} formToken={formToken} />}>
              <Account account={user} />
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
      <section>
        <h2>{texts.add}</h2>
        <Form action={path} formToken={formToken} problem={problem}>
          <Field name="name" label={texts.name} value={values.name} autocomplete="off" />
          <OptionalField name="note" label={texts.note} hint={texts.noteHint} value={values.note} />
          <Submit label={texts.block} isDanger />
        </Form>
      </section>
    </>
  );
}

function Unblock({ path, name, formToken }: { readonly path: string; readonly name: string; readonly formToken: string }): Html {
  const texts = useTexts(blockTexts);
  return (
    <form method="post" action={`${path}/remove`}>
      <FormToken value={formToken} />
      <input type="hidden" name="name" value={name} />
      <button type="submit" aria-label={`${texts.unblock}: ${name}`}>
        {texts.unblock}
      </button>
    </form>
  );
}
