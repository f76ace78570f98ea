import type { FormProblem } from "../../../../../core/form-problem.ts";
import { lengths } from "../../../../../core/lengths.ts";
import type { Page } from "../../../../../core/paging.ts";
import { withQuery } from "../../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../../ui/blocks.tsx";
import { CheckBox, Field, Form, OptionalField, Submit } from "../../../../../ui/forms.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { LabelChip } from "../../../../../ui/labels.tsx";
import { EditAndDelete, Row, Rows } from "../../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import type { LabelPageOrder, LabelView } from "../../../labels/model.ts";
import { labelTexts } from "../../../labels/texts/texts.ts";
import { milestoneTexts } from "../../../milestones/texts/texts.ts";
import { maxCounted } from "../counted.ts";

export interface LabelValues {
  readonly name: string;
  /** With a leading `#`, as browsers write colors. */
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly is_archived: boolean;
}

export interface LabelsProps {
  /** Path of the list. */
  readonly path: string;
  readonly order: LabelPageOrder;
  /** Those that the reader can choose. */
  readonly orders: readonly LabelPageOrder[];
  /** Address of the issues with a label; undefined if they are in several repositories. */
  readonly issuesWith: ((label: string) => string) | undefined;
  /** Open issues by label; empty where they are not shown. */
  readonly counts: ReadonlyMap<number, number>;
  readonly labels: readonly LabelView[];
  readonly total: number;
  readonly page: Page;
  /** Set if the reader can change labels. */
  readonly form: { readonly editedId: number | undefined; readonly title: string; readonly values: LabelValues; readonly problem?: FormProblem } | undefined;
  readonly formToken: string;
}

/** The labels of a repository or organization, with the form for one. */
export function LabelsView({ path, order, orders, issuesWith, counts, labels, total, page, form, formToken }: LabelsProps): Html {
  const texts = useTexts(labelTexts);
  return (
    <>
      {labels.length === 0 ? (
        <Empty icon="tag" title={texts.noLabels}>
          <p>{texts.noLabelsHint}</p>
        </Empty>
      ) : (
        <>
          {total > 1 && (
            <nav class="switch" aria-label={texts.sort}>
              {orders.map((one) => (
                <a href={withQuery(path, { sort: one === "name" ? undefined : one })} {...(one === order && { "aria-current": "page" })}>
                  {texts.orders[one]}
                </a>
              ))}
            </nav>
          )}
          <Rows>
            {labels.map(({ id, name, color, description, isArchived }) => {
              const count = counts.get(id) ?? 0;
              return (
                <Row action={form !== undefined && <EditAndDelete edit={`${path}/${id}`} deletion={`${path}/${id}/delete`} formToken={formToken} of={name} />}>
                  <LabelChip name={name} color={color} href={issuesWith?.(name)} />
                  {isArchived && <span class="badge">{texts.archived}</span>}{" "}
                  <span class="soft" dir="auto">
                    {description}
                  </span>
                  {issuesWith !== undefined && count > 0 && (
                    <div>
                      <a href={issuesWith(name)}>{texts.openIssues(count, count >= maxCounted)}</a>
                    </div>
                  )}
                </Row>
              );
            })}
          </Rows>
        </>
      )}
      <Pager path={path} query={{ sort: order === "name" ? undefined : order }} page={page} total={total} />
      {form !== undefined && <LabelForm action={form.editedId === undefined ? path : `${path}/${form.editedId}`} formToken={formToken} {...form} />}
    </>
  );
}

type LabelFormProps = NonNullable<LabelsProps["form"]> & { readonly action: string; readonly formToken: string };

function LabelForm({ action, formToken, editedId, title, values, problem }: LabelFormProps): Html {
  const texts = useTexts(labelTexts);
  const milestone = useTexts(milestoneTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <section class="narrow-form">
      <h2>{title}</h2>
      <Form action={action} formToken={formToken} problem={problem}>
        <Field name="name" label={texts.name} value={values.name} hint={texts.nameHint} autocomplete="off" />
        <Field name="color" label={texts.color} value={values.color} type="color" autocomplete="off" />
        <OptionalField name="description" maxLength={lengths.labelDescription} label={milestone.description} value={values.description} />
        <CheckBox name="exclusive" label={texts.isExclusive} isChecked={values.exclusive} />
        <CheckBox name="is_archived" label={texts.isArchived} isChecked={values.is_archived} />
        <Submit label={editedId === undefined ? texts.create : forms.save} />
      </Form>
    </section>
  );
}
