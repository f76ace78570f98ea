import type { FormProblem } from "../core/form-problem.ts";
import { withQuery } from "./addresses.ts";
import { Empty } from "./blocks.tsx";
import { Form, Submit } from "./forms.tsx";
import type { Html } from "./html.ts";
import type { IconName } from "./icons.tsx";
import { EditAndDelete, Row, Rows } from "./rows.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

/** A text that a user has saved under a name. */
interface Saved {
  readonly id: number;
}

export interface OwnListProps<T extends Saved> {
  /** Path of the page; its forms are below it. */
  readonly path: string;
  readonly items: readonly T[];
  readonly nameOf: (item: T) => string;
  readonly rowOf: (item: T) => Html;
  readonly icon: IconName;
  readonly texts: OwnListTexts;
  /** The item in the form; undefined for a new one. */
  readonly present: T | undefined;
  readonly problem: FormProblem | undefined;
  readonly formToken: string;
  /** The fields of the form. */
  readonly children?: Html;
}

export interface OwnListTexts {
  readonly none: string;
  readonly hint: string;
  readonly add: string;
  readonly edit: (name: string) => string;
  readonly create: string;
  readonly save: string;
}

/** A settings page with a list of items of a user, and a form for a new item or for one of the list. */
export function OwnList<T extends Saved>({ path, items, nameOf, rowOf, icon, texts, present, problem, formToken, children }: OwnListProps<T>): Html {
  const { forms } = useTexts(sharedTexts);
  return (
    <>
      {items.length === 0 ? (
        <Empty icon={icon} title={texts.none}>
          <p>{texts.hint}</p>
        </Empty>
      ) : (
        <Rows>
          {items.map((item) => (
            <Row
              action={
                <EditAndDelete
                  edit={`${withQuery(path, { edit: item.id })}#form`}
                  deletion={`${path}/${item.id}/delete`}
                  formToken={formToken}
                  of={nameOf(item)}
                />
              }
            >
              {rowOf(item)}
            </Row>
          ))}
        </Rows>
      )}
      <section id="form">
        <h2 dir="auto">{present === undefined ? texts.add : texts.edit(nameOf(present))}</h2>
        <Form action={present === undefined ? path : `${path}/${present.id}`} formToken={formToken} problem={problem} isOnce={present === undefined}>
          {children}
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
