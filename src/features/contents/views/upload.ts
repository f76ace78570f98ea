import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { FileField, Form, OptionalField } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { CommitBox, type CommitBoxFacts } from "./commit-box.ts";
import { sizeText } from "./file.ts";

export interface UploadFacts extends CommitBoxFacts {
  readonly action: string;
  readonly folder: string;
  /** Came with the form before it was refused. */
  readonly kept: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** By which they are named when the form is sent again. */
  readonly keptSeal: string;
  readonly maxBytes: number;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
}

/** Files are chosen or dropped, and the commit that brings them is described. */
export function UploadView({ action, folder, kept, keptSeal, maxBytes, formToken, problem, ...commit }: UploadFacts): Html {
  const { editing: texts, language } = useTexts();
  return h(
    Form,
    { action, formToken, hidden: { kept: keptSeal }, problem, isOnce: true, hasFiles: true },
    kept.length > 0 && [
      h("h2", null, texts.kept),
      h(
        "ul",
        null,
        kept.map(({ name, sizeBytes }) => h("li", null, name, " ", h("span", { class: "soft" }, sizeText(sizeBytes, language)))),
      ),
    ],
    h(FileField, {
      name: "files",
      label: texts.files,
      hint: texts.filesHint(sizeText(maxBytes, language)),
      isMultiple: true,
      isOptional: kept.length > 0,
      maxBytes,
    }),
    h(OptionalField, { name: "folder", label: texts.folder, value: folder, hint: texts.folderHint }),
    h(CommitBox, commit),
    h("div", null, h("button", { class: "primary", type: "submit" }, texts.save)),
  );
}
