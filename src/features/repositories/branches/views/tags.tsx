import { messageTitle } from "../../../../core/commit-message.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Explained } from "../../../../core/reasons.ts";
import { archivePath, commitPath, type RepositoryName, releaseFormPath, sourcePath, tagsPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { CopyButton } from "../../../../ui/copy.tsx";
import { Refusal } from "../../../../ui/form-problems.tsx";
import { Field, Form, OptionalField, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Do } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { TagView } from "../model.ts";
import { branchTexts } from "../texts/texts.ts";

export interface TagsProps {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  readonly tags: readonly TagView[];
  readonly total: number;
  readonly page: Page;
  readonly now: number;
  /** Undefined for readers who cannot create tags. */
  readonly forms: TagForms | undefined;
}

export interface TagForms {
  readonly formToken: string;
  /** The submitted values of the form for a new tag, and the error. */
  readonly created: { readonly name: string; readonly target: string; readonly message: string; readonly problem: FormProblem | undefined };
  /** The error of the last action. */
  readonly refused: Explained | undefined;
  /** Whether the reader can also create releases. */
  readonly canRelease: boolean;
}

/** The list of tags, newest first, and the form for a new one. */
export function TagsView({ repository, tags, total, page, now, forms }: TagsProps): Html {
  const texts = useTexts(branchTexts);
  return (
    <>
      {forms?.refused !== undefined && <Refusal problem={forms.refused} />}
      {total === 0 && (
        <Empty icon="tag" title={texts.noTags}>
          <p>{texts.tagHow}</p>
        </Empty>
      )}
      {forms !== undefined && <NewTag repository={repository} forms={forms} />}
      {total > 0 && (
        <ul class="commits box">
          {tags.map((tag) => (
            <TagRow repository={repository} tag={tag} now={now} forms={forms} />
          ))}
        </ul>
      )}
      <Pager path={tagsPath(repository)} page={page} total={total} />
    </>
  );
}

function NewTag({ repository, forms: { formToken, created } }: { readonly repository: TagsProps["repository"]; readonly forms: TagForms }): Html {
  const texts = useTexts(branchTexts);
  return (
    <details class="more" open={created.problem !== undefined}>
      <summary>{texts.createTag}</summary>
      <Form action={tagsPath(repository, "/create")} formToken={formToken} problem={created.problem}>
        <div class="beside">
          <Field name="name" label={texts.name} value={created.name} names="ref" autocomplete="off" />
          <OptionalField name="target" label={texts.target} value={created.target} hint={texts.fromHint(repository.defaultBranch)} />
        </div>
        <TextArea name="message" label={texts.message} value={created.message} rows={3} hint={texts.messageHint} />
        <Submit label={texts.submitTag} />
      </Form>
    </details>
  );
}

function TagRow({ repository, tag, now, forms }: Pick<TagsProps, "repository" | "now" | "forms"> & { readonly tag: TagView }): Html {
  const texts = useTexts(branchTexts);
  const { name, message, tagger, targetOid } = tag;
  return (
    <li>
      <div class="what">
        <Icon name="tag" /> <a href={sourcePath(repository, { kind: "tag", rev: name })}>{name}</a>
        <div class="who">
          <bdi>{messageTitle(message)}</bdi>
          {tagger !== undefined && (
            <>
              {", "}
              <Ago ms={tagger.seconds * 1_000} now={now} />
            </>
          )}
        </div>
      </div>
      <a href={archivePath(repository, name, "zip")}>zip</a>
      <a href={archivePath(repository, name, "tar.gz")}>tar.gz</a>
      <a class="oid" href={commitPath(repository, targetOid)}>
        {targetOid.slice(0, 10)}
      </a>
      <CopyButton text={targetOid} />
      {forms !== undefined && (
        <details class="menu">
          <summary aria-label={texts.menuOf(name)}>
            <Icon name="chevron-down" />
          </summary>
          <div class="sheet">
            {forms.canRelease && <a href={withQuery(releaseFormPath(repository), { tag: name })}>{texts.createRelease}</a>}
            <Do action={tagsPath(repository, "/delete")} formToken={forms.formToken} label={texts.delete} of={name} hidden={{ name }} />
          </div>
        </details>
      )}
    </li>
  );
}
