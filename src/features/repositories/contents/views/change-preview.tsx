import { DiffTable, type ShownHunk } from "../../../../ui/diff-table.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Rendered } from "../../../../ui/rendered.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { editTexts } from "../texts/texts.ts";

export interface ShownPreview {
  readonly path: string;
  readonly hunks: readonly ShownHunk[];
  readonly html: string | undefined;
}

/** A change that is not committed yet: its lines, and the rendered file. */
export function ChangePreview({ path, hunks, html }: ShownPreview): Html {
  const texts = useTexts(editTexts);
  return (
    <section id="change-preview" aria-label={texts.previewOf(path)}>
      <div class="box">
        <header>
          <h2>{texts.changesOf(path)}</h2>
        </header>
        {hunks.length === 0 ? <p class="within soft">{texts.noChanges}</p> : <DiffTable path={path} hunks={hunks} />}
      </div>
      {html !== undefined && (
        <div class="box">
          <header>
            <h2>{texts.previewOf(path)}</h2>
          </header>
          <div class="within">
            <Rendered html={html} />
          </div>
        </div>
      )}
    </section>
  );
}
