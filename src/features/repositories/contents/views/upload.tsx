import type { FormProblem } from "../../../../core/form-problem.ts";
import { FileField, Form, OptionalField } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { editTexts } from "../texts/texts.ts";

import { CommitBox, type CommitBoxProps } from "./commit-box.tsx";

export interface UploadProps extends CommitBoxProps {
  readonly action: string;
  readonly folder: string;
  /** Files that were uploaded with an earlier, rejected submission. */
  readonly kept: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** The sealed list of these files for the next submission. */
  readonly keptSeal: string;
  readonly maxBytes: number;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
}

/** The form for uploading files, with its commit fields. */
export function UploadView({ action, folder, kept, keptSeal, maxBytes, formToken, problem, ...commit }: UploadProps): Html {
  const language = useLanguage();
  const texts = useTexts(editTexts);
  return (
    <Form action={action} formToken={formToken} hidden={{ kept: keptSeal }} problem={problem} isOnce hasFiles>
      {kept.length > 0 && (
        <>
          <h2>{texts.kept}</h2>
          <ul>
            {kept.map(({ name, sizeBytes }) => (
              <li>
                {name} <span class="soft">{sizeText(sizeBytes, language)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <FileField
        name="files"
        label={texts.files}
        hint={texts.filesHint(sizeText(maxBytes, language))}
        isMultiple
        isOptional={kept.length > 0}
        maxBytes={maxBytes}
      />
      <OptionalField name="folder" label={texts.folder} value={folder} hint={texts.folderHint} />
      <CommitBox {...commit} />
      <div>
        <button class="primary" type="submit">
          {texts.save}
        </button>
      </div>
    </Form>
  );
}
