import { h } from "preact";
import { accountPath, commitPath, pickPath, type RepositoryName, sourcePath, withQuery } from "../../../ui/addresses.ts";
import { Diff } from "../../../ui/diff.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { FileDiff } from "../unified-diff.ts";
import type { CommitView as CommitFacts } from "../view.ts";
import { titleOf } from "./history.ts";

export interface CommitPageFacts {
  readonly repository: RepositoryName;
  readonly view: CommitFacts;
  readonly files: readonly FileDiff[];
  readonly isCut: boolean;
  readonly isSplit: boolean;
  /** Whether the reader commits to branches here. */
  readonly canCommit: boolean;
  readonly now: number;
}

/** A commit: what it says, whose it is, what it changed. */
export function CommitPage({ repository, view, files, isCut, isSplit, canCommit, now }: CommitPageFacts): Html {
  const { commit: texts } = useTexts();
  const { commit } = view;
  const at = { kind: "commit", rev: commit.oid } as const;
  const asText = h("a", { href: `${commitPath(repository, commit.oid)}.diff` }, texts.asText);
  return [
    h(Heading, { repository, view, canCommit, now }),
    files.length === 0
      ? h("p", { class: "soft" }, texts.unchanged)
      : h(Diff, {
          files,
          isSplit,
          styleAddress: (style) => withQuery(commitPath(repository, commit.oid), { style }),
          addressOf: ({ status, path }) => (status === "removed" ? undefined : sourcePath(repository, at, path)),
        }),
    h("p", null, isCut && [texts.tooLarge, " "], asText),
  ];
}

function Heading({ repository, view, canCommit, now }: Pick<CommitPageFacts, "repository" | "view" | "canCommit" | "now">): Html {
  const { commit: texts, history, picking } = useTexts();
  const { commit, author } = view;
  const [title, rest] = [titleOf(commit.message), commit.message.split("\n").slice(1).join("\n").trim()];
  const isByAnother = commit.committer.email !== commit.author.email;
  return h(
    "section",
    { class: "box" },
    h("div", { class: "within" }, h("h1", null, title), rest !== "" && h("pre", { class: "message" }, rest)),
    h(
      "header",
      null,
      author === undefined ? h("strong", null, commit.author.name) : h("a", { href: accountPath(author.name) }, author.fullName || author.name),
      h(Ago, { ms: commit.author.seconds * 1_000, now }),
      isByAnother && h("span", { class: "soft" }, texts.committedBy, " ", commit.committer.name),
      view.verdict?.isVerified === true && h("span", { class: "badge good" }, history.verified),
      h(
        "span",
        { class: "end" },
        commit.parentOids.length > 0 && h("span", { class: "soft" }, commit.parentOids.length === 1 ? texts.parent : texts.parents),
        commit.parentOids.map((oid) => h("a", { class: "oid", href: commitPath(repository, oid) }, oid.slice(0, 10))),
        h("a", { href: sourcePath(repository, { kind: "commit", rev: commit.oid }) }, history.browse),
        canCommit && h("a", { href: pickPath(repository, commit.oid) }, picking.link),
      ),
    ),
  );
}
