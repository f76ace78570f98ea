import { h } from "preact";
import { archivePath } from "../../../ui/addresses.ts";
import { Chips, Empty } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";

export interface CloneAddresses {
  readonly http: string;
  readonly ssh: string | undefined;
}

export interface AboutFacts {
  readonly repository: {
    readonly ownerName: string;
    readonly name: string;
    readonly description: string;
    readonly website: string;
    readonly topics: readonly string[];
    readonly licenses: readonly string[];
    readonly language: string;
    readonly updatedMs: number;
    readonly defaultBranch: string;
  };
  readonly clone: CloneAddresses;
  readonly now: number;
}

/** Beside the files: what the repository is, and how one gets it. */
export function About({ repository, clone, now }: AboutFacts): Html {
  const { repository: texts } = useTexts();
  const { description, website, topics, licenses, language, updatedMs } = repository;
  return h(
    "aside",
    null,
    h("h2", null, texts.about),
    h("p", null, description === "" ? h("span", { class: "soft" }, texts.noDescription) : description),
    topics.length > 0 && h(Chips, { words: topics }),
    h(
      "ul",
      { class: "facts" },
      website !== "" && h("li", null, h(Icon, { name: "link" }), h("a", { href: website, rel: "nofollow noopener" }, website)),
      licenses.length > 0 && h("li", null, h(Icon, { name: "law" }), licenses.join(", ")),
      language !== "" && h("li", null, h(Icon, { name: "code" }), language),
      h("li", null, h(Icon, { name: "clock" }), texts.updated, " ", h(Ago, { ms: updatedMs, now })),
    ),
    h(CloneBox, { repository, clone }),
  );
}

function CloneBox({ repository, clone }: Omit<AboutFacts, "now">): Html {
  const { code: texts } = useTexts();
  return [
    h("h2", null, texts.clone),
    h(Address, { id: "clone-http", label: texts.overHttp, value: clone.http }),
    clone.ssh !== undefined && h(Address, { id: "clone-ssh", label: texts.overSsh, value: clone.ssh }),
    h(
      "p",
      null,
      texts.download,
      ": ",
      h("a", { href: archivePath(repository, repository.defaultBranch, "zip") }, "zip"),
      ", ",
      h("a", { href: archivePath(repository, repository.defaultBranch, "tar.gz") }, "tar.gz"),
    ),
  ];
}

const Address = ({ id, label, value }: { readonly id: string; readonly label: string; readonly value: string }): Html =>
  h("div", { class: "field" }, h("label", { for: id }, label), h("input", { id, value, readOnly: true }));

/** A repository without a commit: how to bring the first. */
export function EmptyRepository({ clone, branch }: { readonly clone: CloneAddresses; readonly branch: string }): Html {
  const { code: texts } = useTexts();
  return h(
    Empty,
    { icon: "repo", title: texts.noCommits, isWholePage: true },
    h("p", null, texts.pushFirst),
    h("h2", null, texts.fromNew),
    h("pre", null, `git init -b ${branch}\ngit add .\ngit commit -m "First commit"\ngit remote add origin ${clone.http}\ngit push -u origin ${branch}`),
    h("h2", null, texts.fromExisting),
    h("pre", null, `git remote add origin ${clone.http}\ngit push -u origin --all`),
  );
}
