import { h } from "preact";
import { blamePath, branchesPath, historyPath, type RepositoryName, type RevName, repositoryPath, sourcePath, tagsPath } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.ts";
import { useTexts } from "./texts/texts.ts";

/** Pages that show a path at any commit, by the part of their address. */
export const pathPages = { src: sourcePath, blame: blamePath, commits: historyPath } as const;
export type PathPage = keyof typeof pathPages;

/** What people switch to, by the names that addresses use. */
export interface RevNames {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

export interface RevMenuFacts {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
  readonly page: PathPage;
  readonly revs: RevNames;
}

const icons: Readonly<Record<RevName["kind"], IconName>> = { branch: "git-branch", tag: "tag", commit: "git-commit" };

/** At which commit the page is, and how the same place is seen at another one. */
export function RevMenu({ revs, ...place }: RevMenuFacts): Html {
  const { code: texts, repository: parts } = useTexts();
  const { repository, at } = place;
  const label = { branch: texts.onBranch, tag: texts.onTag, commit: texts.atCommit }[at.kind];
  return h(
    "details",
    { class: "menu revs" },
    h(
      "summary",
      { class: "button", title: texts.switchTo },
      h(Icon, { name: icons[at.kind], label }),
      h("span", null, at.kind === "commit" ? at.rev.slice(0, 10) : at.rev),
      h(Icon, { name: "chevron-down" }),
    ),
    h(
      "div",
      { class: "sheet" },
      h(Jump, place),
      h(Names, { ...place, kind: "branch", names: revs.branches, title: parts.branches }),
      h("a", { class: "soft", href: branchesPath(repository) }, texts.allBranches),
      revs.tags.length > 0 && [
        h(Names, { ...place, kind: "tag", names: revs.tags, title: parts.tags }),
        h("a", { class: "soft", href: tagsPath(repository) }, texts.allTags),
      ],
    ),
  );
}

type PlaceFacts = Omit<RevMenuFacts, "revs">;

/** To what is not among the newest. */
function Jump({ repository, path, page }: PlaceFacts): Html {
  const { code: texts } = useTexts();
  return h(
    "form",
    { class: "find", action: `${repositoryPath(repository)}/src` },
    page !== "src" && h("input", { type: "hidden", name: "page", value: page }),
    path !== "" && h("input", { type: "hidden", name: "path", value: path }),
    h("input", { name: "rev", required: true, "aria-label": texts.revName, placeholder: texts.revName, autocomplete: "off" }),
    h("button", { type: "submit" }, texts.goThere),
  );
}

interface NamesFacts extends PlaceFacts {
  readonly kind: "branch" | "tag";
  readonly names: readonly string[];
  readonly title: string;
}

const Names = ({ repository, at, path, page, kind, names, title }: NamesFacts): Html => [
  h("strong", null, title),
  names.map((rev) =>
    h(
      "a",
      { href: pathPages[page](repository, { kind, rev }, path), ...(kind === at.kind && rev === at.rev && { "aria-current": "true" }) },
      h("bdi", null, rev),
    ),
  ),
];
