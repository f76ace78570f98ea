import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { archivePath, commitPath, type RepositoryName, repositoryPath, sourcePath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { BranchView, TagView } from "../view.ts";

interface ListFacts {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  readonly total: number;
  readonly page: Page;
  readonly now: number;
}

const titleOf = (message: string): string => message.split("\n", 1)[0] ?? "";

export function BranchesView({ branches, repository, total, page, now }: ListFacts & { readonly branches: readonly BranchView[] }): Html {
  const { branches: texts } = useTexts();
  if (total === 0) return h(Empty, { icon: "git-branch", title: texts.none });
  return [
    h(
      "ul",
      { class: "commits box" },
      branches.map(({ name, tip: { commit } }) =>
        h(
          "li",
          null,
          h(
            "div",
            { class: "what" },
            h(Icon, { name: "git-branch" }),
            " ",
            h("a", { href: sourcePath(repository, { kind: "branch", rev: name }) }, name),
            name === repository.defaultBranch && [" ", h("span", { class: "badge" }, texts.isDefault)],
            h("div", { class: "who" }, titleOf(commit.message), ", ", h(Ago, { ms: commit.committer.seconds * 1_000, now })),
          ),
          h("a", { class: "oid", href: commitPath(repository, commit.oid) }, commit.oid.slice(0, 10)),
        ),
      ),
    ),
    h(Pager, { path: `${repositoryPath(repository)}/branches`, page, total }),
  ];
}

export function TagsView({ tags, repository, total, page, now }: ListFacts & { readonly tags: readonly TagView[] }): Html {
  const { branches: texts } = useTexts();
  if (total === 0) return h(Empty, { icon: "tag", title: texts.noTags }, h("p", null, texts.tagHow));
  return [
    h(
      "ul",
      { class: "commits box" },
      tags.map(({ name, message, tagger, targetOid }) =>
        h(
          "li",
          null,
          h(
            "div",
            { class: "what" },
            h(Icon, { name: "tag" }),
            " ",
            h("a", { href: sourcePath(repository, { kind: "tag", rev: name }) }, name),
            h("div", { class: "who" }, titleOf(message), tagger !== undefined && [", ", h(Ago, { ms: tagger.seconds * 1_000, now })]),
          ),
          h("a", { href: archivePath(repository, name, "zip") }, "zip"),
          h("a", { href: archivePath(repository, name, "tar.gz") }, "tar.gz"),
          h("a", { class: "oid", href: commitPath(repository, targetOid) }, targetOid.slice(0, 10)),
        ),
      ),
    ),
    h(Pager, { path: `${repositoryPath(repository)}/tags`, page, total }),
  ];
}
