import { blamePath, editPath, mediaPath, type RepositoryName, rawPath, sourcePath } from "../../../../ui/addresses.ts";
import { CodeLines, lineCount } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Rendered } from "../../../../ui/rendered.tsx";
import { hasManyUnseen } from "../../../../ui/revealed.tsx";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import type { EntryView, ShownFile, Viewpoint } from "../model.ts";
import { codeTexts, editTexts, searchTexts } from "../texts/texts.ts";
import { NotebookView } from "./notebook.tsx";

export interface FileProps {
  readonly repository: RepositoryName;
  readonly at: Viewpoint;
  readonly file: EntryView;
  readonly shown: ShownFile;
  readonly canEdit: boolean;
}

/** A file, rendered or as source, with its details above. */
export function FileView({ repository, at, file, shown, canEdit }: FileProps): Html {
  const language = useLanguage();
  const texts = useTexts(codeTexts);
  return (
    <section class="box">
      <header>
        <h2>{nameOf(file)}</h2>
        {shown.kind === "code" && <span>{texts.lines(lineCount(shown.text))}</span>}
        <span class="soft">{sizeText("sizeBytes" in shown ? shown.sizeBytes : file.sizeBytes, language)}</span>
        {"isHere" in shown && <span class="badge">Git LFS</span>}
        <span class="end">
          <OtherForm repository={repository} at={at} file={file} shown={shown} />
          {"isHere" in shown && shown.isHere && (
            <a href={mediaPath(repository, at, file.path)} download={nameOf(file)}>
              {texts.download}
            </a>
          )}
          <a href={rawPath(repository, at, file.path)}>{"isHere" in shown ? texts.pointer : texts.raw}</a>
          <Ways repository={repository} at={at} file={file} shown={shown} canEdit={canEdit} />
        </span>
      </header>
      <Shown repository={repository} at={at} file={file} shown={shown} />
    </section>
  );
}

const nameOf = ({ path }: EntryView): string | undefined => path.split("/").at(-1);

/** Links to the blame, the raw file and the editor. */
function Ways({ repository, at, file, shown, canEdit }: FileProps): Html {
  const search = useTexts(searchTexts);
  const editing = useTexts(editTexts);
  const isText = shown.kind === "code" || shown.kind === "rendered" || shown.kind === "notebook" || (shown.kind === "image" && shown.isText);
  const edits = canEdit && at.kind === "branch";
  return (
    <>
      {isText && <a href={blamePath(repository, at, file.path)}>{search.blame}</a>}
      {at.kind !== "commit" && (
        <a href={sourcePath(repository, { kind: "commit", rev: at.commit.oid }, file.path)} data-key="y">
          {search.permalink}
        </a>
      )}
      {edits && file.mode.startsWith("100") && (
        <a href={editPath(repository, "edit", at.rev, file.path)} data-key="e">
          {isText ? editing.edit : editing.move}
        </a>
      )}
      {edits && <a href={editPath(repository, "delete", at.rev, file.path)}>{editing.delete}</a>}
    </>
  );
}

/** Link between the rendered and the source view. */
function OtherForm({ repository, at, file, shown }: Omit<FileProps, "canEdit">): Html {
  const texts = useTexts(codeTexts);
  const address = sourcePath(repository, at, file.path);
  const isOtherForm = shown.kind === "rendered" || shown.kind === "notebook" || (shown.kind === "image" && shown.isText);
  if (isOtherForm) return <a href={`${address}?display=source`}>{texts.source}</a>;
  return shown.kind === "code" && shown.canRender && <a href={address}>{texts.rendered}</a>;
}

function Shown({ repository, at, file, shown }: Omit<FileProps, "canEdit">): Html {
  const texts = useTexts(codeTexts);
  const commit = { kind: "commit", rev: at.commit.oid } as const;
  switch (shown.kind) {
    case "rendered":
      return (
        <div class="within">
          <Rendered html={shown.html} hasContents />
        </div>
      );
    case "code":
      if (hasManyUnseen(shown.text)) return <p>{texts.tooLarge}</p>;
      return shown.text === "" ? <p class="soft">{texts.empty}</p> : <CodeLines text={shown.text} html={shown.html} />;
    case "image":
      // By commit id, because the browser's cached image of the branch may be older.
      return (
        <div class="picture">
          <img src={rawPath(repository, commit, file.path)} alt={nameOf(file) ?? ""} />
        </div>
      );
    case "large image":
      return (
        <div class="picture">
          <img src={mediaPath(repository, commit, file.path)} alt={nameOf(file) ?? ""} />
        </div>
      );
    case "notebook":
      return <NotebookView repository={repository} oid={at.commit.oid} path={file.path} cells={shown.cells} isCut={shown.isCut} />;
    case "link":
      return (
        <p>
          {texts.link} <code>{shown.target}</code>
        </p>
      );
    case "large":
      return <p>{shown.isHere ? texts.lfs : texts.lfsMissing}</p>;
    case "binary":
      return <p>{texts.binary}</p>;
    case "too large":
      return <p>{texts.tooLarge}</p>;
  }
}

const units = ["B", "KiB", "MiB", "GiB"] as const;

/** A human-readable size, such as `3.4 KiB`. */
export function sizeText(bytes: number, language: string): string {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toLocaleString(language, { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`;
}
