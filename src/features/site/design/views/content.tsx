import { Account, Author } from "../../../../ui/avatar.tsx";
import { Bars } from "../../../../ui/bars.tsx";
import { CodeLines, TextBox } from "../../../../ui/blocks.tsx";
import { ChangedLines } from "../../../../ui/changed-lines.tsx";
import { CopyButton } from "../../../../ui/copy.tsx";
import { Counts, CountsWithBar, HunkLines, Modes, Styles } from "../../../../ui/diff.tsx";
import { DiffTable } from "../../../../ui/diff-table.tsx";
import { FileField, OptionalField } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { LabelDot } from "../../../../ui/labels.tsx";
import { Plot } from "../../../../ui/plot.tsx";
import { QrCode } from "../../../../ui/qr-code.tsx";
import { ContentsMenu, Rendered, RenderedLine } from "../../../../ui/rendered.tsx";
import { Badges } from "../../../../ui/repository-page.tsx";
import { RevMenu } from "../../../../ui/rev-menu.tsx";
import { Revealed } from "../../../../ui/revealed.tsx";
import { Do, EditAndDelete, Row, Rows } from "../../../../ui/rows.tsx";
import { Technical } from "../../../../ui/technical.tsx";
import { Ago, Day, Moment } from "../../../../ui/time.tsx";
import { WatchMenu } from "../../../../ui/watch-menu.tsx";
import { WithCode } from "../../../../ui/with-code.tsx";
import { MistakeText } from "../../../../ui/workflow-mistakes.tsx";

/** Components of code, conversations and charts. */

const dayMs = 86_400_000;
const sampleMs = Date.UTC(2026, 0, 1);
const ada = { name: "ada", fullName: "Ada Lane", email: "ada@example.org", avatar: "" };
const repository = { ownerName: "ada", name: "garden" };
const readme =
  '<h1 id="user-content-garden">Garden</h1><p>Plans for beds, with <a href="#top">a link</a>.</p><h2 id="user-content-beds">Beds</h2><h2 id="user-content-tools">Tools</h2>';

export interface ThemedProps {
  readonly theme: string;
}

export const Content = ({ theme }: ThemedProps): Html => (
  <>
    <People />
    <Menus />
    <Conversation />
    <Code theme={theme} />
    <Charts theme={theme} />
  </>
);

const People = (): Html => (
  <>
    <h2>People and times</h2>
    <Rows>
      <Row action={<EditAndDelete edit="#top" deletion="#top" formToken="" of="ada" />}>
        <Account account={ada} />
        <div class="soft">
          <Ago ms={sampleMs - dayMs} now={sampleMs} />
          {", "}
          <Day ms={sampleMs} />
          {", "}
          <Moment ms={sampleMs} />
        </div>
      </Row>
      <Row action={<Do action="#top" formToken="" label="Archive" of="garden" />}>
        <Author account={undefined} signature={{ name: "Ann Author", email: "ann@example.org" }} size={20} />
      </Row>
    </Rows>
    <div class="bar">
      <Badges isPrivate isArchived isTemplate isMirror={false} />
      <LabelDot color="d73a4a" />
    </div>
  </>
);

const Menus = (): Html => (
  <>
    <h2>Toolbar and menus</h2>
    <div class="marks">
      <WatchMenu repository={{ ...repository, watching: ["issues"] }} formToken="" />
    </div>
    <ul>
      <li>
        <MistakeText message="Required property is missing: runs-on" within={["jobs.water"]} kind="key_missing" values={{ key: "runs-on" }} />
      </li>
      <li>
        <MistakeText line={3} column={5} message="Something else" />
      </li>
    </ul>
    <Technical message="connect ECONNREFUSED 127.0.0.1:25" isOpen />
    <div class="bar toolbar">
      <RevMenu repository={repository} at={{ kind: "branch", rev: "main" }} path="" page="src" revs={{ branches: ["main"], tags: ["v1.0"] }} />
      <span class="refs">
        <a href="#top">
          <Icon name="git-branch" />3 branches
        </a>
      </span>
      <span class="end">
        <a class="button field-like" href="#top">
          <Icon name="search" />
          <span>Go to file</span>
          <kbd>t</kbd>
        </a>
        <span class="button-group">
          <a class="button small" href="#top">
            Raw
          </a>
          <a class="button small" href="#top">
            <Icon name="download" label="Download" />
          </a>
        </span>
      </span>
    </div>
    <section class="box">
      <header class="latest">
        <strong>
          <Author account={ada} signature={ada} size={20} />
        </strong>
        <a class="one-line" href="#top">
          Plan the beds
        </a>
        <span class="end">
          <ContentsMenu html={readme} />
        </span>
      </header>
      <div class="within">
        <Rendered html={readme} />
        <RenderedLine html="<p>A line with <code>code</code>.</p>" text="" />
      </div>
    </section>
  </>
);

const events: readonly (readonly [mark: string, icon: IconName, text: string])[] = [
  ["mark", "tag", "added the label bug"],
  ["mark done", "issue-closed", "closed this"],
  ["mark good", "issue-opened", "reopened this"],
];

const Conversation = (): Html => (
  <div>
    <h2>Conversation</h2>
    <ol class="timeline">
      <li class="box">
        <header>
          <strong>
            <Author account={ada} signature={ada} size={24} />
          </strong>
          <span class="soft">commented yesterday</span>
        </header>
        <div class="within">
          <Rendered html="<p>The north bed stays dry.</p>" />
        </div>
      </li>
      {events.map(([mark, icon, text]) => (
        <li class="event">
          <span class={mark}>
            <Icon name={icon} />
          </span>
          <Author account={ada} signature={ada} size={16} /> {text}
        </li>
      ))}
    </ol>
  </div>
);

const Code = ({ theme }: ThemedProps): Html => (
  <>
    <h2>Code and changes</h2>
    <section class="box">
      <header>
        <h3>water.js</h3>
        <Counts additions={1} deletions={1} /> <CountsWithBar additions={3} deletions={1} />
        <Modes file={{ oldMode: "100644", newMode: "100755" }} />
        <span class="end">
          <Styles isSplit={false} styleAddress={() => "#top"} label={`Changes, ${theme}`} />
        </span>
      </header>
      <DiffTable
        path={`${theme}/water.js`}
        hunks={[
          {
            heading: "@@ -1,2 +1,2 @@",
            lines: [
              { kind: "removed", before: 1, text: "const least = 0.3;" },
              { kind: "added", after: 1, text: "const least = 0.4;" },
              { kind: "context", before: 2, after: 2, text: "water(bed);" },
            ],
          },
        ]}
      />
    </section>
    <section class="box">
      <p>
        <code>7fd1a60b01</code> <CopyButton text="7fd1a60b01f91b314f59955a4e4d4e80d8edf11d" />
      </p>
      <CodeLines text={"const bed = 1;\nwater(bed);\n"} html={undefined} />
    </section>
    <HunkLines hunk={"@@ -1 +1 @@\n-old\n+new"} />
    <ChangedLines before={"a bed of beans\nwatered daily\n"} after={"a bed of peas\nwatered daily\n"} />
    <p>
      <code>
        <Revealed text={"invisible\u200bcharacters"} />
      </code>
    </p>
    <TextBox title="Response" text="200 OK" />
    <p>
      <WithCode text="Run `git fetch` before you compare the branches." />
    </p>
  </>
);

const Charts = ({ theme }: ThemedProps): Html => (
  <>
    <h2>Charts and progress</h2>
    <Bars counts={[1, 4, 2, 8, 3, 5, 1, 0, 2]} height={48} label={`Commits, ${theme}`} />
    <Plot title={`Memory, ${theme}`} values={[3, 5, 4, 8, 6]} atLeast={1} summary="6 MB now, 8 MB at most" />
    <progress value={3} max={5} aria-label={`Progress, ${theme}`} />
    <QrCode text="https://example.org" label={`Code, ${theme}`} />
  </>
);

/** Fields that the form of the page shows beside the others. */
export const MoreFields = (): Html => (
  <>
    <FileField name="picture" label="Picture" hint="PNG or JPEG." isOptional />
    <OptionalField name="website" label="Website" value="" hint="Shown on the profile." />
  </>
);
