import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { archivePath, commitPath, type RepositoryName, releaseFormPath, sourcePath, tagsPath, withQuery } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Field, Form, OptionalField, Refusal, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { Do } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { TagView } from "../view.ts";

export interface TagsFacts {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  readonly tags: readonly TagView[];
  readonly total: number;
  readonly page: Page;
  readonly now: number;
  /** Undefined for readers who make no tags. */
  readonly forms: TagForms | undefined;
}

export interface TagForms {
  readonly formToken: string;
  /** What was typed into the form for a new one, and why it was refused. */
  readonly created: { readonly name: string; readonly target: string; readonly message: string; readonly problem: FormProblem | undefined };
  /** Why a button did nothing. */
  readonly refused: string | undefined;
  /** The reader makes releases, too. */
  readonly canRelease: boolean;
}

const titleOf = (message: string): string => message.split("\n", 1)[0] ?? "";

/** Tags, the newest first, and where one is made. */
export function TagsView({ repository, tags, total, page, now, forms }: TagsFacts): Html {
  const { branches: texts } = useTexts();
  return [
    forms?.refused !== undefined && h(Refusal, { message: forms.refused }),
    total === 0 && h(Empty, { icon: "tag", title: texts.noTags }, h("p", null, texts.tagHow)),
    forms !== undefined && h(NewTag, { repository, forms }),
    total > 0 &&
      h(
        "ul",
        { class: "commits box" },
        tags.map((tag) => h(TagRow, { repository, tag, now, forms })),
      ),
    h(Pager, { path: tagsPath(repository), page, total }),
  ];
}

function NewTag({ repository, forms: { formToken, created } }: { readonly repository: TagsFacts["repository"]; readonly forms: TagForms }): Html {
  const { branches: texts } = useTexts();
  return h(
    "details",
    { class: "more", open: created.problem !== undefined },
    h("summary", null, texts.createTag),
    h(
      Form,
      { action: tagsPath(repository, "/create"), formToken, problem: created.problem },
      h(
        "div",
        { class: "beside" },
        h(Field, { name: "name", label: texts.name, value: created.name, autocomplete: "off" }),
        h(OptionalField, { name: "target", label: texts.target, value: created.target, hint: texts.fromHint(repository.defaultBranch) }),
      ),
      h(TextArea, { name: "message", label: texts.message, value: created.message, rows: 3, hint: texts.messageHint }),
      h(Submit, { label: texts.createTag }),
    ),
  );
}

function TagRow({ repository, tag, now, forms }: Pick<TagsFacts, "repository" | "now" | "forms"> & { readonly tag: TagView }): Html {
  const { branches: texts, releases } = useTexts();
  const { name, message, tagger, targetOid } = tag;
  return h(
    "li",
    null,
    h(
      "div",
      { class: "what" },
      h(Icon, { name: "tag" }),
      " ",
      h("a", { href: sourcePath(repository, { kind: "tag", rev: name }) }, name),
      h("div", { class: "who" }, h("bdi", null, titleOf(message)), tagger !== undefined && [", ", h(Ago, { ms: tagger.seconds * 1_000, now })]),
    ),
    h("a", { href: archivePath(repository, name, "zip") }, "zip"),
    h("a", { href: archivePath(repository, name, "tar.gz") }, "tar.gz"),
    h("a", { class: "oid", href: commitPath(repository, targetOid) }, targetOid.slice(0, 10)),
    forms !== undefined &&
      h(
        "details",
        { class: "menu" },
        h("summary", { "aria-label": texts.menuOf(name) }, h(Icon, { name: "chevron-down" })),
        h(
          "div",
          { class: "sheet" },
          forms.canRelease && h("a", { href: withQuery(releaseFormPath(repository), { tag: name }) }, releases.makeOfTag),
          h(Do, { action: tagsPath(repository, "/delete"), formToken: forms.formToken, label: texts.delete, of: name, hidden: { name } }),
        ),
      ),
  );
}
