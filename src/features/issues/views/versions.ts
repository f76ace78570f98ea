import { h } from "preact";
import { lineChanges } from "../../../core/line-changes.ts";
import { issuePath, pullPath, type RepositoryName } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { Revealed } from "../../../ui/revealed.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { IssueView, TextVersionView } from "../view.ts";
import { Person } from "./person.ts";

export interface VersionsFacts {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  /** The newest first. */
  readonly versions: readonly TextVersionView[];
  /** Of the comment; undefined for the issue's own text. */
  readonly commentId: number | undefined;
  readonly now: number;
}

/** What a text has said so far, each time as what was changed. */
export function VersionsView({ repository, issue, versions, commentId, now }: VersionsFacts): Html {
  const { tracking: texts } = useTexts();
  const path = (issue.isPull ? pullPath : issuePath)(repository, issue.number);
  const anchor = commentId === undefined ? "#issue" : `#issuecomment-${commentId}`;
  return [
    h("p", { class: "soft" }, h("a", { href: path + anchor, dir: "auto" }, `${issue.title} #${issue.number}`), ` · ${texts.oneOfSeveral(versions.length)}`),
    h(
      "ol",
      { class: "timeline" },
      versions.map((version, at) => h(Version, { version, before: versions[at + 1], now })),
    ),
  ];
}

interface VersionFacts {
  readonly version: TextVersionView;
  /** Undefined for the first one. */
  readonly before: TextVersionView | undefined;
  readonly now: number;
}

function Version({ version, before, now }: VersionFacts): Html {
  const { tracking: texts } = useTexts();
  const lines = before === undefined ? lineChanges(version.content, version.content) : lineChanges(before.content, version.content);
  return h(
    "li",
    { class: "box" },
    h(
      "header",
      null,
      before === undefined ? texts.writtenBy : texts.editedBy,
      " ",
      h("strong", null, h(Person, { user: version.editor })),
      " ",
      h("span", { class: "soft" }, h(Ago, { ms: version.writtenMs, now })),
    ),
    h(
      "pre",
      { class: "changed-lines", dir: "auto", tabIndex: 0 },
      lines.map(({ kind, text }) => h(kind === "kept" ? "span" : kind === "added" ? "ins" : "del", null, h(Revealed, { text }), "\n")),
    ),
  );
}
