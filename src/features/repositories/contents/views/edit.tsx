import type { FormProblem } from "../../../../core/form-problem.ts";
import { Field, Form, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { CommitBox, type CommitBoxProps } from "./commit-box.tsx";

export interface EditProps extends CommitBoxProps {
  /** Where the form leads. */
  readonly action: string;
  readonly path: string;
  /** Undefined where the file is to be deleted, and where it is no text. */
  readonly content: string | undefined;
  readonly kind: "edit" | "new" | "delete";
  /** The object that the text is of; empty for a file that is to be made. */
  readonly seen: string;
  /** All that is in it goes with it. */
  readonly isFolder?: boolean;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
  /** What the file says now, where it has changed since the form was made. */
  readonly changedTo?: string | undefined;
}

/** A file is written or deleted, and the commit that does it is described. */
export function EditView({ action, kind, path, content, seen, isFolder, formToken, problem, changedTo, ...commit }: EditProps): Html {
  const { editing: texts } = useTexts();
  return (
    <>
      {changedTo !== undefined && (
        <p class="notice bad" role="alert">
          {texts.changed}
        </p>
      )}
      <Form action={action} formToken={formToken} hidden={{ seen }} problem={problem}>
        {content === undefined && kind === "edit" && (
          <>
            <p class="notice">{texts.noText}</p>
            <Field name="path" label={texts.path} value={path} hint={texts.pathHint} autocomplete="off" />
          </>
        )}
        {content !== undefined && (
          <div class="editor">
            <Field name="path" label={texts.path} value={path} hint={texts.pathHint} autocomplete="off" />
            {/* A browser drops the first line end of a text area. */}
            <TextArea name="content" label={texts.content} value={content.startsWith("\n") ? `\n${content}` : content} rows={24} isCode />
          </div>
        )}
        {isFolder && <p class="notice">{texts.everythingIn(path)}</p>}
        <CommitBox {...commit} />
        <div>
          <button class="primary" type="submit">
            {kind === "delete" ? texts.delete : texts.save}
          </button>
        </div>
      </Form>
      {changedTo !== undefined && (
        <section class="box">
          <header>
            <h2>{texts.now}</h2>
          </header>
          <pre class="message within">{changedTo}</pre>
        </section>
      )}
    </>
  );
}
