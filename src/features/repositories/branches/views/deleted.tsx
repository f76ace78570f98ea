import type { FormProblem } from "../../../../core/form-problem.ts";
import { accountPath, branchesPath, commitPath, type RepositoryName } from "../../../../ui/addresses.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import { Field, Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Do } from "../../../../ui/rows.tsx";
import { fill } from "../../../../ui/texts/fill.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { DeletedBranchView } from "../model.ts";
import { branchTexts } from "../texts/texts.ts";

export interface DeletedForms {
  readonly formToken: string;
  /** Branches that can be restored, latest first. */
  readonly deleted: readonly DeletedBranchView[];
  /** The submitted values of a failed restore, and the error. */
  readonly restored: { readonly id: number; readonly name: string; readonly problem: FormProblem } | undefined;
  /** Whether the reader can discard a deleted branch. */
  readonly canForget: boolean;
}

interface DeletedProps {
  readonly repository: RepositoryName;
  readonly forms: DeletedForms;
  readonly now: number;
}

/** Deleted branches, each with a restore action. */
export function DeletedBranches({ repository, forms, now }: DeletedProps): Html {
  const texts = useTexts(branchTexts);
  const { deleted, restored } = forms;
  return (
    <details class="more" id="deleted" open={restored !== undefined}>
      <summary>{texts.deletedLately(deleted.length)}</summary>
      <p class="soft">{texts.deletedHow}</p>
      <ul class="commits box">
        {deleted.map((branch) => (
          <DeletedRow repository={repository} forms={forms} now={now} branch={branch} />
        ))}
      </ul>
    </details>
  );
}

function DeletedRow({ repository, forms, now, branch }: DeletedProps & { readonly branch: DeletedBranchView }): Html {
  const texts = useTexts(branchTexts);
  const { id, name, oid, deleter, deletedMs } = branch;
  const restored = forms.restored?.id === id ? forms.restored : undefined;
  return (
    <li>
      <div class="what">
        <Icon name="git-branch" /> <bdi>{name}</bdi>
        <div class="who">
          {deleter !== undefined && (
            <>
              <a class="face" href={accountPath(deleter.name)}>
                <Avatar account={deleter} size={16} />
                {deleter.name}
              </a>{" "}
            </>
          )}
          {fill<Html>(deleter === undefined ? texts.deletedAt : texts.hasDeleted, { when: <Ago ms={deletedMs} now={now} /> })}
        </div>
        {restored !== undefined && <Again repository={repository} formToken={forms.formToken} id={id} name={name} restored={restored} />}
      </div>
      <a class="oid" href={commitPath(repository, oid)}>
        {oid.slice(0, 10)}
      </a>
      <Do action={branchesPath(repository, "/restore")} formToken={forms.formToken} label={texts.restore} of={name} hidden={{ id: String(id) }} />
      {forms.canForget && (
        <details class="menu">
          <summary aria-label={texts.menuOf(name)}>
            <Icon name="chevron-down" />
          </summary>
          <div class="sheet">
            <Do action={branchesPath(repository, "/forget")} formToken={forms.formToken} label={texts.forget} of={name} hidden={{ id: String(id) }} isDanger />
          </div>
        </details>
      )}
    </li>
  );
}

interface AgainProps {
  readonly repository: RepositoryName;
  readonly formToken: string;
  readonly id: number;
  readonly name: string;
  readonly restored: NonNullable<DeletedForms["restored"]>;
}

/** Restores under another name if the branch's own name is in use. */
function Again({ repository, formToken, id, name, restored }: AgainProps): Html {
  const texts = useTexts(branchTexts);
  return (
    <Form action={branchesPath(repository, "/restore")} formToken={formToken} name={`restore-${id}`} hidden={{ id: String(id) }} problem={restored.problem}>
      <Field name="name" label={texts.restoreAs} value={restored.name === "" ? name : restored.name} names="ref" autocomplete="off" hasFocus />
      <div>
        <button type="submit">{texts.restore}</button>
      </div>
    </Form>
  );
}
