import { type RepositoryName, repositoryPath } from "../../../../ui/addresses.ts";
import { Choice, Field, OptionalField, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { CommitPlace } from "../service/commit-place.ts";
import { editTexts } from "../texts/texts.ts";

/** The submitted commit fields of a form. */
export interface CommitTyped {
  readonly summary: string;
  readonly details: string;
  /** `direct` or `branch`. */
  readonly target: string;
  readonly new_branch: string;
}

export interface CommitBoxProps {
  readonly branch: string;
  readonly commit: CommitTyped;
  /** The default summary of the commit. */
  readonly usualSummary: string;
  /** Its path, which the default summary contains, is still entered. */
  readonly isNewFile?: boolean;
  readonly repository: RepositoryName;
  readonly place: CommitPlace;
}

/** The form fields for the commit message and the branch. */
export function CommitBox({ branch, commit, usualSummary, isNewFile, repository, place }: CommitBoxProps): Html {
  const texts = useTexts(editTexts);
  return (
    <>
      <h2>{texts.commit}</h2>
      <OptionalField
        name="summary"
        label={texts.summary}
        value={commit.summary}
        hint={isNewFile ? texts.summaryOfNewHint : usualSummary === "" ? undefined : texts.summaryHint(usualSummary)}
      />
      <TextArea name="details" label={texts.details} value={commit.details} rows={3} />
      {place.kind === "any" ? (
        <div class="choosing">
          <Choice
            name="target"
            label={texts.where}
            value={commit.target}
            options={[
              ["direct", texts.direct(branch)],
              ["branch", texts.branch],
            ]}
          />
          <div class="chosen-branch">
            <OptionalField name="new_branch" label={texts.newBranch} value={commit.new_branch} names="ref" />
          </div>
        </div>
      ) : (
        <>
          <p class="notice">
            <Icon name="git-branch" /> {place.kind === "fork" ? <InFork repository={repository} fork={place.fork} /> : texts.protectedBranch(branch)}
          </p>
          <input type="hidden" name="target" value="branch" />
          <Field name="new_branch" label={texts.newBranch} value={commit.new_branch} names="ref" autocomplete="off" />
        </>
      )}
    </>
  );
}

/** @param props.fork undefined if it does not exist yet */
function InFork({ repository, fork }: { readonly repository: RepositoryName; readonly fork: RepositoryName | undefined }): Html {
  const texts = useTexts(editTexts);
  const fullName = `${repository.ownerName}/${repository.name}`;
  if (fork === undefined) return texts.inNewFork(fullName);
  return (
    <>
      {texts.inFork(fullName)} <a href={repositoryPath(fork)}>{`${fork.ownerName}/${fork.name}`}</a>
    </>
  );
}
