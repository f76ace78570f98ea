import { notebookPicturePath, type RepositoryName } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Rendered } from "../../../../ui/rendered.tsx";
import { Revealed, revealedHtml } from "../../../../ui/revealed.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { ShownCell } from "../model.ts";
import type { NotebookOutput } from "../notebook.ts";
import { codeTexts } from "../texts/texts.ts";

export interface NotebookProps {
  readonly repository: RepositoryName;
  /** The commit at which the notebook is viewed. */
  readonly oid: string;
  readonly path: string;
  readonly cells: readonly ShownCell[];
  readonly isCut: boolean;
}

export function NotebookView({ cells, isCut, ...place }: NotebookProps): Html {
  const texts = useTexts(codeTexts);
  return (
    <div class="notebook">
      {cells.map((cell) => (
        <Cell place={place} cell={cell} />
      ))}
      {isCut && <p class="notice">{texts.notebookCut}</p>}
    </div>
  );
}

type Place = Omit<NotebookProps, "cells" | "isCut">;

function Cell({ place, cell }: { readonly place: Place; readonly cell: ShownCell }): Html {
  if (cell.kind === "markdown") return <Rendered html={cell.html} />;
  if (cell.kind === "raw")
    return (
      <pre tabIndex={0}>
        <Revealed text={cell.text} />
      </pre>
    );
  const { text, html, count, outputs } = cell;
  return (
    <div class="cell">
      <span class="soft count" aria-hidden="true">{`[${count ?? " "}]`}</span>
      <pre tabIndex={0}>
        {html === undefined ? (
          <code>
            <Revealed text={text} />
          </code>
        ) : (
          <code dangerouslySetInnerHTML={{ __html: revealedHtml(html) }} />
        )}
      </pre>
      {outputs.map((output) => (
        <div class="output">
          <Output place={place} output={output} />
        </div>
      ))}
    </div>
  );
}

function Output({ place, output }: { readonly place: Place; readonly output: NotebookOutput }): Html {
  const texts = useTexts(codeTexts);
  switch (output.kind) {
    case "text":
      return (
        <pre tabIndex={0}>
          <Revealed text={output.text} />
        </pre>
      );
    case "error":
      return (
        <pre class="bad" tabIndex={0}>
          <Revealed text={output.text} />
        </pre>
      );
    case "image": {
      const { repository, oid, path } = place;
      const { index, text } = output.picture;
      return <img src={notebookPicturePath(repository, oid, path, index)} alt={text === "" ? texts.notebookPicture : text} loading="lazy" />;
    }
    case "other":
      return <p class="soft">{texts.notShown(output.type)}</p>;
  }
}
