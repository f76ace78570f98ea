import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { type RepositoryName, releaseFormPath } from "../../../../ui/addresses.ts";
import { CheckBox, Field, FileField, Form, OptionalField, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { branchTexts } from "../../../repositories/branches/texts/texts.ts";
import type { ReleaseView } from "../../../repositories/releases/model.ts";
import { releaseTexts } from "../../../repositories/releases/texts/texts.ts";
import type { AttachmentView } from "../../issues/model.ts";
import { releaseFormTexts } from "../texts/texts.ts";

/** Input of the release form, without files. */
export interface ReleaseTyped {
  readonly tag_name: string;
  readonly target: string;
  /** The tag from which generated notes start; empty for the nearest one. */
  readonly previous_tag: string;
  readonly tag_message: string;
  readonly title: string;
  readonly note: string;
  readonly prerelease: boolean;
}

export interface ReleaseFormProps {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  readonly typed: ReleaseTyped;
  /** Suggested branches and tags. */
  readonly refs: { readonly branches: readonly string[]; readonly tags: readonly string[] };
  /** Undefined for a new release. */
  readonly release: ReleaseView | undefined;
  /** The version of the release that the page shows its editor. */
  readonly seen: string;
  /** Entered file names, by file id. */
  readonly names: ReadonlyMap<number, string>;
  readonly removed: ReadonlySet<number>;
  /** Files uploaded with the rejected form. */
  readonly came: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** Sealed references to these files, sent again with the form. */
  readonly cameSeal: string;
  readonly maxBytes: number;
  readonly formToken: string;
  readonly problem: FormProblem | undefined;
  /** Whether the notes were just generated. */
  readonly hasNewNotes: boolean;
  /** Whether another user has changed the release in the meantime. */
  readonly isStale: boolean;
}

/** The release form. Shows the current release below it if another user has changed it. */
export function ReleaseForm(props: ReleaseFormProps): Html {
  const { repository, typed, refs, release, seen, cameSeal, formToken, problem, hasNewNotes, isStale } = props;
  const texts = useTexts(releaseFormTexts);
  const branches = useTexts(branchTexts);
  const hidden = { seen, came: cameSeal, ...(release !== undefined && { id: String(release.id) }) };
  return (
    <>
      <Form action={releaseFormPath(repository, release?.tagName)} formToken={formToken} hidden={hidden} problem={problem} hasFiles>
        {/* The Enter key activates the first button of a form. */}
        <button class="hidden" type="submit" name="action" value="publish" tabIndex={-1} aria-hidden="true" />
        <div class="beside">
          <Field
            name="tag_name"
            label={texts.tag}
            value={typed.tag_name}
            autocomplete="off"
            hint={texts.tagHint}
            names="ref"
            hasFocus={typed.tag_name === ""}
            suggestions={refs.tags}
          />
          <OptionalField
            name="target"
            label={texts.target}
            value={typed.target}
            hint={branches.fromHint(repository.defaultBranch)}
            suggestions={refs.branches}
          />
        </div>
        <OptionalField name="title" maxLength={lengths.line} label={texts.releaseTitle} value={typed.title} hint={texts.titleHint} />
        <div class="beside generating">
          <OptionalField name="previous_tag" label={texts.previousTag} value={typed.previous_tag} hint={texts.previousTagHint} suggestions={refs.tags} />
          <div>
            <button type="submit" name="action" value="notes" formnovalidate>
              <Icon name="file" />
              {texts.generate}
            </button>
          </div>
        </div>
        <div class="editor">
          {/* Browsers drop the first line break of a textarea. */}
          <TextArea
            name="note"
            maxLength={lengths.releaseNote}
            label={texts.note}
            value={typed.note.startsWith("\n") ? `\n${typed.note}` : typed.note}
            rows={14}
            has={hasNewNotes ? "focus" : undefined}
            isMarkdown
          />
        </div>
        <Files {...props} />
        <CheckBox name="prerelease" label={texts.isPrerelease} isChecked={typed.prerelease} />
        <details class="more" open={typed.tag_message !== ""}>
          <summary>{texts.annotate}</summary>
          <TextArea name="tag_message" label={texts.tagMessage} value={typed.tag_message} rows={3} hint={branches.messageHint} />
        </details>
        <Buttons release={release} />
      </Form>
      {isStale && release !== undefined && <Theirs release={release} />}
      {release !== undefined && <Removal repository={repository} release={release} formToken={formToken} />}
    </>
  );
}

function Buttons({ release }: Pick<ReleaseFormProps, "release">): Html {
  const texts = useTexts(releaseFormTexts);
  const isPublished = release?.isDraft === false;
  return (
    <>
      <div class="bar">
        <button class="primary" type="submit" name="action" value="publish">
          {isPublished ? texts.save : texts.publish}
        </button>
        <button type="submit" name="action" value="draft" aria-describedby="draft-how">
          {isPublished ? texts.withdraw : texts.saveDraft}
        </button>
        {release === undefined && (
          <button type="submit" name="action" value="tag">
            {texts.onlyTag}
          </button>
        )}
      </div>
      <p class="hint" id="draft-how">
        {texts.draftHow}
      </p>
    </>
  );
}

/** Existing files to rename or remove, files already uploaded, and the input for more. */
function Files({ release, names, removed, came, maxBytes }: ReleaseFormProps): Html {
  const language = useLanguage();
  const texts = useTexts(releaseFormTexts);
  const { files } = useTexts(releaseTexts);
  const assets = release?.assets ?? [];
  return (
    <>
      {assets.length > 0 && (
        <ul class="rows" aria-label={files}>
          {assets.map((asset) => (
            <FileRow asset={asset} name={names.get(asset.id) ?? asset.name} isRemoved={removed.has(asset.id)} />
          ))}
        </ul>
      )}
      {came.length > 0 && (
        <div class="notice">
          <h2>{texts.came}</h2>
          <ul>
            {came.map(({ name, sizeBytes }) => (
              <li>
                <bdi>{name}</bdi> <span class="soft">{sizeText(sizeBytes, language)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <FileField name="files" label={texts.addFiles} hint={texts.addFilesHint(sizeText(maxBytes, language))} isMultiple isOptional maxBytesEach={maxBytes} />
    </>
  );
}

interface FileRowProps {
  readonly asset: AttachmentView;
  readonly name: string;
  readonly isRemoved: boolean;
}

function FileRow({ asset, name, isRemoved }: FileRowProps): Html {
  const language = useLanguage();
  const texts = useTexts(releaseFormTexts);
  const release = useTexts(releaseTexts);
  return (
    <li>
      <div>
        <Field name={`name_${asset.id}`} label={texts.nameOf(asset.name)} value={name} autocomplete="off" />
      </div>
      <span class="soft">
        {sizeText(asset.sizeBytes, language)}
        {" · "}
        {release.downloads(asset.downloadCount)}
      </span>
      <CheckBox name={`remove_${asset.id}`} label={texts.remove(asset.name)} isChecked={isRemoved} />
    </li>
  );
}

function Theirs({ release }: { readonly release: ReleaseView }): Html {
  const texts = useTexts(releaseTexts);
  const releaseForm = useTexts(releaseFormTexts);
  const { tagName, title, note, isDraft, isPrerelease } = release;
  return (
    <section class="box">
      <header>
        <h2>{releaseForm.now}</h2>
        {isDraft && <span class="badge">{texts.draft}</span>}
        {isPrerelease && <span class="badge">{texts.prerelease}</span>}
      </header>
      <p class="within">
        <bdi>{title === "" ? tagName : title}</bdi>
      </p>
      <pre class="theirs" dir="auto" tabIndex={0}>
        {note}
      </pre>
    </section>
  );
}

/** Needs an extra click, to prevent accidental deletion. */
function Removal({ repository, release, formToken }: Pick<ReleaseFormProps, "repository" | "formToken"> & { readonly release: ReleaseView }): Html {
  const texts = useTexts(releaseFormTexts);
  return (
    <details class="more removal">
      <summary>{texts.deleteThis}</summary>
      {/* Browsers open the details element that contains the target of a link. */}
      <p class="soft" id="delete">
        {texts.deleteHow}
      </p>
      <Form action={releaseFormPath(repository, release.tagName, "delete")} formToken={formToken}>
        <div>
          <button class="danger" type="submit">
            {texts.deleteThis}
          </button>
        </div>
      </Form>
    </details>
  );
}
