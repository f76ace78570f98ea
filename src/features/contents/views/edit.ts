import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { Choice, Field, Form, OptionalField, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

/** What is stated about a commit that a form makes. */
export interface CommitTyped {
  readonly summary: string;
  readonly details: string;
  /** `direct` or `branch`. */
  readonly target: string;
  readonly new_branch: string;
}

export interface EditFacts {
  /** Where the form leads. */
  readonly action: string;
  readonly branch: string;
  readonly path: string;
  /** Undefined where the file is to be deleted. */
  readonly content: string | undefined;
  /** The object that the text is of; empty for a file that is to be made. */
  readonly seen: string;
  readonly commit: CommitTyped;
  readonly usualSummary: string;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
  /** What the file says now, where it has changed since the form was made. */
  readonly changedTo?: string | undefined;
}

/** A file is written or deleted, and the commit that does it is described. */
export function EditView({ action, branch, path, content, seen, commit, usualSummary, formToken, problem, changedTo }: EditFacts): Html {
  const { editing: texts } = useTexts();
  return [
    changedTo !== undefined && h("p", { class: "notice bad", role: "alert" }, texts.changed),
    h(
      Form,
      { action, formToken, hidden: { seen }, problem },
      content !== undefined &&
        h(
          "div",
          { class: "editor" },
          h(Field, { name: "path", label: texts.path, value: path, hint: texts.pathHint, autocomplete: "off" }),
          // A browser drops the first line end of a text area.
          h(TextArea, { name: "content", label: texts.content, value: content.startsWith("\n") ? `\n${content}` : content, rows: 24, isCode: true }),
        ),
      h("h2", null, texts.commit),
      h(OptionalField, { name: "summary", label: texts.summary, value: commit.summary, hint: texts.summaryHint(usualSummary) }),
      h(TextArea, { name: "details", label: texts.details, value: commit.details, rows: 3 }),
      h(Choice, {
        name: "target",
        label: texts.where,
        value: commit.target,
        options: [
          ["direct", texts.direct(branch)],
          ["branch", texts.branch],
        ],
      }),
      h(OptionalField, { name: "new_branch", label: texts.newBranch, value: commit.new_branch, hint: texts.newBranchHint }),
      h("div", null, h("button", { class: "primary", type: "submit" }, content === undefined ? texts.delete : texts.save)),
    ),
    changedTo !== undefined && h("section", { class: "box" }, h("header", null, h("h2", null, texts.now)), h("pre", { class: "message within" }, changedTo)),
  ];
}
