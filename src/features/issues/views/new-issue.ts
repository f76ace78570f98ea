import { h } from "preact";
import { type RepositoryName, repositoryPath } from "../../../ui/addresses.ts";
import { Field, Form, Problem, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

export interface NewIssueFacts {
  readonly repository: RepositoryName;
  readonly formToken: string;
  readonly title: string;
  readonly content: string;
  readonly problem?: string;
}

export function NewIssueView({ repository, formToken, title, content, problem }: NewIssueFacts): Html {
  const { issues: texts } = useTexts();
  return [
    problem !== undefined && h(Problem, { text: problem }),
    h(
      Form,
      { action: `${repositoryPath(repository)}/issues/new`, formToken, isOnce: true },
      h(Field, { name: "title", label: texts.newTitle, value: title, autocomplete: "off", hasFocus: true, isInvalid: problem !== undefined }),
      h(TextArea, { name: "content", label: texts.newText, value: content, rows: 10, hint: texts.markdown, isMarkdown: true }),
      h("div", { class: "bar" }, h("button", { class: "primary", type: "submit" }, texts.submit)),
    ),
  ];
}
