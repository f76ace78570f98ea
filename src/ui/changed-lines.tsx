import { lineChanges } from "../core/line-changes.ts";
import type { Html } from "./html.ts";
import { ListInTurns } from "./render-in-turns.tsx";
import { Revealed } from "./revealed.tsx";

/** The lines of a text, with those that were added and removed since another version. */
export const ChangedLines = ({ before, after }: { readonly before: string; readonly after: string }): Html => (
  <pre class="changed-lines" dir="auto" tabIndex={0}>
    <ListInTurns
      items={lineChanges(before, after)}
      view={({ kind, text }) => {
        const Tag = kind === "kept" ? "span" : kind === "added" ? "ins" : "del";
        return (
          <Tag>
            <Revealed text={text} />
            {"\n"}
          </Tag>
        );
      }}
    />
  </pre>
);
