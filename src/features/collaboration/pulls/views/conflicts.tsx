import type { FormProblem } from "../../../../core/form-problem.ts";
import { pullPath, type RepositoryName } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { FieldProblem, useFieldProblem } from "../../../../ui/form-problems.tsx";
import { Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { type ConflictSide, type Conflicts, conflictLines, type SidedFile } from "../conflicts.ts";
import { mergeTexts } from "../texts/texts.ts";

export interface ConflictsProps {
  readonly repository: RepositoryName;
  readonly conflicts: Conflicts;
  readonly formToken: string;
  /** Rejected input, by path. */
  readonly typed: ReadonlyMap<string, string> | undefined;
  /** Chosen sides, by path. */
  readonly sides: ReadonlyMap<string, ConflictSide> | undefined;
  readonly problem: FormProblem | undefined;
}

/** The conflicting files with fields to resolve each. */
export function ConflictsView({ repository, conflicts, formToken, typed, sides, problem }: ConflictsProps): Html {
  const texts = useTexts(mergeTexts);
  const { forms } = useTexts(sharedTexts);
  const { pull, files, sided, others, headOid, baseOid } = conflicts;
  const path = pullPath(repository, pull.number);
  const back = <a href={path}>{forms.cancel}</a>;
  if (others.length > 0) {
    return (
      <Empty icon="alert" title={texts.resolvedElsewhere}>
        <p>{texts.resolvedElsewhereHint}</p>
        <pre tabIndex={0}>{others.join("\n")}</pre>
        {[...(typed ?? [])]
          .filter(([name]) => name !== "")
          .map(([name, text]) => (
            <details>
              <summary>{texts.fileText(name)}</summary>
              <pre tabIndex={0}>{text}</pre>
            </details>
          ))}
        <p>{back}</p>
      </Empty>
    );
  }
  return (
    <>
      <p>{texts.resolvingHint(pull.headBranch, pull.baseBranch)}</p>
      <Form
        action={`${path}/conflicts`}
        formToken={formToken}
        isOnce
        problem={problem}
        hidden={{ head: headOid, base: baseOid, path: "", content: "", chosen: "", side: "" }}
      >
        {files.map((file, at) => (
          <FileField {...file} at={at} typed={typed?.get(file.path)} branches={{ head: pull.headBranch, base: pull.baseBranch }} />
        ))}
        {sided.map((file, at) => (
          <SideField {...file} at={at} chosen={sides?.get(file.path)} branches={{ head: pull.headBranch, base: pull.baseBranch }} />
        ))}
        <div class="bar">
          <Submit label={texts.commitMerge} />
          {back}
        </div>
      </Form>
    </>
  );
}

/** The attributes of the control of a file that is not resolved. */
const useInvalid = (path: string, id: string) =>
  useFieldProblem(path) === undefined ? {} : ({ "aria-invalid": true, "aria-describedby": `${id}-problem`, autofocus: true } as const);

type Branches = Readonly<Record<ConflictSide, string>>;

interface SideProps extends SidedFile {
  readonly at: number;
  readonly chosen: ConflictSide | undefined;
  readonly branches: Branches;
}

/** Chooses the version of one branch, which may be a deletion. */
function SideField({ path, isThere, at, chosen, branches }: SideProps): Html {
  const texts = useTexts(mergeTexts);
  const id = `side-${at + 1}`;
  const invalid = useInvalid(path, id);
  const words = (side: ConflictSide): string => (isThere[side] ? texts.asOn(branches[side]) : texts.goneOn(branches[side]));
  return (
    <section class="box conflict">
      <header>
        <h2>{path}</h2>
      </header>
      <div class="within field">
        <input type="hidden" name="chosen" value={path} />
        <label for={id}>{texts.sideOf(path)}</label>
        <p class="hint">{isThere.head && isThere.base ? texts.noText : texts.deletedOnce}</p>
        <select id={id} name="side" {...invalid}>
          <option value="">{texts.chooseSide}</option>
          {(["head", "base"] as const).map((side) => (
            <option value={side} selected={side === chosen}>
              {words(side)}
            </option>
          ))}
        </select>
        <FieldProblem name={path} id={id} />
      </div>
    </section>
  );
}

interface FileProps {
  readonly path: string;
  readonly text: string;
  readonly at: number;
  readonly typed: string | undefined;
  readonly branches: Branches;
}

const maxRows = 40;

function FileField({ path, text, at, typed, branches }: FileProps): Html {
  const texts = useTexts(mergeTexts);
  const shown = typed ?? text;
  const id = `file-${at + 1}`;
  const invalid = useInvalid(path, id);
  const isOther = typed !== undefined && typed !== text;
  return (
    <section class="box conflict">
      <header>
        <h2>{path}</h2>
      </header>
      <div class="within">
        <input type="hidden" name="path" value={path} />
        <label for={id}>{texts.fileText(path)}</label>
        <ol class="settle">
          {conflictLines(shown).map((line) => (
            <li>{texts.conflictAt(line)}</li>
          ))}
        </ol>
        {/* Browsers drop the first line break of a textarea. */}
        <textarea
          id={id}
          name="content"
          class="code"
          spellcheck={false}
          data-head={branches.head}
          data-base={branches.base}
          rows={Math.min(maxRows, shown.split("\n").length + 1)}
          value={shown.startsWith("\n") ? `\n${shown}` : shown}
          {...invalid}
        />
        <FieldProblem name={path} id={id} />
        {isOther && (
          <details>
            <summary>{texts.conflictNow}</summary>
            <pre tabIndex={0}>{text}</pre>
          </details>
        )}
      </div>
    </section>
  );
}
