import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Refusal } from "../../../../ui/form-problems.tsx";
import { Field, Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import type { DeletedRepositoryView } from "../model.ts";
import { repoSettingsTexts } from "../texts/texts.ts";

export interface DeletedProps {
  readonly path: string;
  readonly repositories: readonly DeletedRepositoryView[];
  readonly total: number;
  readonly page: Page;
  /** The repository deleted last, with a prominent restore action. */
  readonly justDeletedId?: number | undefined;
  readonly refused?: RefusedRestoration | undefined;
  readonly formToken: string;
}

/** A failed restore request and its error. */
export interface RefusedRestoration {
  readonly id: number;
  readonly name: string;
  readonly problem: FormProblem;
}

/** Deleted repositories, each with a restore action. */
export function DeletedRepositories(props: DeletedProps): Html {
  const { path, repositories, total, page, refused } = props;
  const texts = useTexts(repoSettingsTexts).deleted;
  // It was restored or purged concurrently, so there is no row for the error.
  const isElsewhere = refused !== undefined && !repositories.some(({ id }) => id === refused.id);
  return (
    <>
      {isElsewhere && <Refusal problem={refused.problem} />}
      <JustDeleted {...props} />
      {repositories.length === 0 ? (
        <Empty icon="trash" title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <Rows>
          {repositories.map((repository) => (
            <DeletedRow {...props} repository={repository} />
          ))}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
    </>
  );
}

function JustDeleted({ path, repositories, justDeletedId, formToken }: DeletedProps): Html {
  const texts = useTexts(repoSettingsTexts).deleted;
  const found = repositories.find(({ id }) => id === justDeletedId);
  if (found === undefined) return null;
  const of = fullName(found);
  return (
    <div class="notice good bar" role="status">
      {texts.isDeleted(of)}
      <Do action={`${path}/${found.id}/restore`} formToken={formToken} label={texts.restore} of={of} />
    </div>
  );
}

const fullName = ({ ownerName, name }: DeletedRepositoryView): string => `${ownerName}/${name}`;

function DeletedRow({ path, repository, refused, formToken }: DeletedProps & { readonly repository: DeletedRepositoryView }): Html {
  const texts = useTexts(repoSettingsTexts).deleted;
  const { id, name, deletedMs, keptUntilMs } = repository;
  const action = `${path}/${id}/restore`;
  const isRefused = refused?.id === id;
  return (
    <Row action={!isRefused && <Do action={action} formToken={formToken} label={texts.restore} of={fullName(repository)} />}>
      <strong>{fullName(repository)}</strong>
      <div class="soft">
        {texts.deletedAt} <Moment ms={deletedMs} />
        {", "}
        {texts.keptUntil} <Moment ms={keptUntilMs} />
      </div>
      {isRefused && (
        <Form action={action} formToken={formToken} name={`restore-${id}`} problem={refused.problem}>
          <Field
            name="name"
            maxLength={lengths.repositoryName}
            label={texts.restoreAs}
            value={refused.name === "" ? name : refused.name}
            names="item"
            autocomplete="off"
            hasFocus
          />
          <div>
            <button type="submit">{texts.restore}</button>
          </div>
        </Form>
      )}
    </Row>
  );
}
