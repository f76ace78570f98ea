import type { Html } from "../../../../ui/html.ts";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { metaTexts } from "../texts/texts.ts";

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
}

/** The operations of the API by subject. */
export function OperationsView({ operations }: { readonly operations: readonly Operation[] }): Html {
  const texts = useTexts(metaTexts);
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort();
  return (
    <>
      <p>
        {texts.operations(operations.length)}
        <code>/api/v1</code>
        {texts.description}
        <a href="/swagger.v1.json">swagger.v1.json</a>.
      </p>
      <nav class="switch" aria-label={texts.subjects}>
        {tags.map((tag) => (
          <a href={`#${tag}`}>{tag}</a>
        ))}
      </nav>
      {tags.map((tag) => (
        <section lang="en">
          <h2 id={tag}>{tag}</h2>
          <Rows>
            {operations
              .filter((operation) => operation.tag === tag)
              .map(({ id, method, path, summary }) => (
                <Row>
                  <div id={id}>
                    <span class="badge">{method}</span> <code>{path}</code>
                  </div>
                  <div class="soft">{summary}</div>
                </Row>
              ))}
          </Rows>
        </section>
      ))}
    </>
  );
}
