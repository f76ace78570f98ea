import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import { runTexts } from "../texts/texts.ts";
import type { Artifact } from "./model.ts";

export interface ArtifactsProps {
  /** Address below which the artifacts are. */
  readonly base: string;
  readonly artifacts: readonly Artifact[];
  readonly now: number;
  /** Undefined: the reader may not delete artifacts. */
  readonly formToken: string | undefined;
}

/** The artifacts of a run, for download. */
export function Artifacts({ base, artifacts, now, formToken }: ArtifactsProps): Html {
  const { artifacts: texts, deleteArtifact } = useTexts(runTexts);
  const language = useLanguage();
  if (artifacts.length === 0) return null;
  return (
    <section>
      <h2>{texts.title}</h2>
      <Rows>
        {artifacts.map((artifact) => {
          const path = `${base}/${encodeURIComponent(artifact.name)}`;
          const isExpired = artifact.expiresMs <= now;
          return (
            <Row action={formToken !== undefined && <Do action={`${path}/delete`} formToken={formToken} label={deleteArtifact} of={artifact.name} isDanger />}>
              {isExpired ? artifact.name : <a href={path}>{artifact.name}</a>}
              <div class="soft">
                {sizeText(artifact.sizeBytes, language)} · {isExpired ? texts.expired : texts.expires} <Moment ms={artifact.expiresMs} />
              </div>
              <div class="soft">
                SHA-256: <code>{artifact.digest}</code>
              </div>
            </Row>
          );
        })}
      </Rows>
    </section>
  );
}
