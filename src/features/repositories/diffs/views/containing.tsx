import { commitPath, type RepositoryName, sourcePath } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { commitTexts } from "../texts/texts.ts";

export interface ContainingProps {
  readonly repository: RepositoryName;
  readonly oid: string;
  readonly refs: { readonly branches: readonly string[]; readonly tags: readonly string[]; readonly isCut: boolean };
}

/** The branches and tags that contain a commit. */
export function Containing({ repository, oid, refs }: ContainingProps): Html {
  const texts = useTexts(commitTexts);
  const parts = useTexts(sharedTexts).repository;
  const groups = [
    ["branch", "git-branch", parts.branches, refs.branches],
    ["tag", "tag", parts.tags, refs.tags],
  ] as const;
  return (
    <>
      <p>
        {texts.commit}{" "}
        <a class="oid" href={commitPath(repository, oid)}>
          {oid.slice(0, 10)}
        </a>
      </p>
      {refs.branches.length + refs.tags.length === 0 && (
        <Empty icon="git-branch" title={texts.noContainingRefs}>
          <p>{texts.noContainingRefsHint}</p>
        </Empty>
      )}
      {groups.map(
        ([kind, icon, title, names]) =>
          names.length > 0 && (
            <section class="box">
              <header>
                <h2>{title}</h2>
                <span class="counter">{names.length}</span>
              </header>
              <ul class="within plain-list">
                {names.map((rev) => (
                  <li>
                    <Icon name={icon} />{" "}
                    <a href={sourcePath(repository, { kind, rev })}>
                      <bdi>{rev}</bdi>
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
      {refs.isCut && <p class="soft">{texts.moreRefs}</p>}
    </>
  );
}
