import type { FormProblem } from "../../../../core/form-problem.ts";
import { TextBox } from "../../../../ui/blocks.tsx";
import type { CodeEditor } from "../../../../ui/editor-bundle.ts";
import { Field, Form, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { SlowPart } from "../../../../ui/slow-part.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { editTexts } from "../texts/texts.ts";
import { CommitBox, type CommitBoxProps } from "./commit-box.tsx";

export interface EditProps extends CommitBoxProps {
  /** The URL that the form is submitted to. */
  readonly action: string;
  readonly path: string;
  /** Undefined for deletions, and if the file is not text. */
  readonly content: string | undefined;
  readonly kind: "edit" | "new" | "delete";
  /** The blob id of the edited content; empty for a new file. */
  readonly seen: string;
  /** Deletes a folder with everything in it. */
  readonly isFolder?: boolean;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
  /** The code editor, which scripts load. */
  readonly editor: CodeEditor;
  /** A preview is rendered in the slow part of the page. */
  readonly hasPreview?: boolean;
  /** The present content of the file if it changed since the form was loaded. */
  readonly changedTo?: string | undefined;
}

/** The form for editing or deleting a file, with its commit fields. */
export function EditView({ action, kind, path, content, seen, isFolder, formToken, problem, editor, hasPreview, changedTo, ...commit }: EditProps): Html {
  const texts = useTexts(editTexts);
  return (
    <>
      {changedTo !== undefined && (
        <p class="notice bad" role="alert">
          {texts.changed}
        </p>
      )}
      {hasPreview === true && <SlowPart />}
      <Form action={action} formToken={formToken} hidden={{ seen }} problem={problem}>
        {content === undefined && kind === "edit" && (
          <>
            <p class="notice">{texts.noText}</p>
            <Field name="path" label={texts.path} value={path} hint={texts.pathHint} autocomplete="off" />
          </>
        )}
        {content !== undefined && (
          <div class="editor">
            <Field
              name="path"
              label={texts.path}
              value={path}
              hint={kind === "new" ? texts.newPathHint : texts.pathHint}
              autocomplete="off"
              hasFocus={kind === "new"}
            />
            {/* Browsers drop the first line break in a textarea. */}
            <TextArea name="content" label={texts.content} value={content.startsWith("\n") ? `\n${content}` : content} rows={24} isCode editor={editor} />
            <p class="hint editor-hint">{texts.editorHint}</p>
          </div>
        )}
        {isFolder && <p class="notice">{texts.everythingIn(path)}</p>}
        <CommitBox {...commit} isNewFile={kind === "new"} />
        <div class="bar">
          <button class="primary" type="submit" name="action" value="commit">
            {kind === "delete" ? texts.delete : texts.save}
          </button>
          {content !== undefined && (
            <button type="submit" name="action" value="preview">
              {texts.preview}
            </button>
          )}
        </div>
      </Form>
      {changedTo !== undefined && <TextBox title={texts.now} text={changedTo} />}
    </>
  );
}
