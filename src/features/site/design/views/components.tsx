import { Avatar, Faces } from "../../../../ui/avatar.tsx";
import { Empty, Pager, Topics } from "../../../../ui/blocks.tsx";
import { Problem } from "../../../../ui/form-problems.tsx";
import { CheckBox, Choice, Field, Form, Group, OptionalField, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName, iconNames } from "../../../../ui/icons.tsx";
import { LabelChip } from "../../../../ui/labels.tsx";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { Content, MoreFields, type ThemedProps } from "./content.tsx";

/** The page is for developers, so its texts are in English only. */

const people = ["ada", "ben", "carol", "dave"].map((name) => ({ name, email: `${name}@example.org`, avatar: "" }));
const [ada = { name: "ada", email: "", avatar: "" }] = people;

const tokenGroups: Readonly<Record<string, readonly string[]>> = {
  Grounds: ["bg", "bg-muted", "bg-hover", "bg-inset", "bg-float"],
  Texts: ["fg", "fg-muted", "accent-fg", "success-fg", "attention-fg", "danger-fg", "done-fg"],
  Emphasis: ["accent", "success", "danger", "done", "draft", "ember"],
};

const states: readonly (readonly [state: string, icon: IconName, text: string])[] = [
  ["open", "issue-opened", "Open"],
  ["draft", "git-pull-request-draft", "Draft"],
  ["merged", "git-merge", "Merged"],
  ["rejected", "git-pull-request-closed", "Closed"],
];

/** Every component, once in each theme. */
export const Components = (): Html =>
  (["light", "dark"] as const).map((theme) => (
    <section class={`sample ${theme}`} aria-label={theme}>
      <Tokens />
      <Controls theme={theme} />
      <Fields theme={theme} />
      <Blocks theme={theme} />
      <Content theme={theme} />
    </section>
  ));

const Tokens = (): Html =>
  Object.entries(tokenGroups).map(([title, names]) => (
    <>
      <h2>{title}</h2>
      <ul class="swatches">
        {names.map((name) => (
          <li>
            <span class={`swatch token-${name}`} aria-hidden="true" />
            <code>{`--${name}`}</code>
          </li>
        ))}
      </ul>
    </>
  ));

const Controls = ({ theme }: ThemedProps): Html => (
  <>
    <h2>Buttons</h2>
    <div class="bar">
      <button class="primary" type="button">
        New issue
      </button>
      <button type="button">Cancel</button>
      <button class="primary merge" type="button">
        Merge
      </button>
      <button class="danger" type="button">
        Delete
      </button>
      <button class="invisible" type="button">
        <Icon name="gear" label="Settings" />
      </button>
      <button class="small" type="button">
        <Icon name="star" />
        Star
      </button>
      <button type="button" disabled>
        Disabled
      </button>
      <details class="menu">
        <summary class="button">
          Menu
          <Icon name="chevron-down" />
        </summary>
        <div class="sheet">
          <a href="#top">
            <Icon name="link" />
            First entry
          </a>
          <hr />
          <a href="#top">Second entry</a>
        </div>
      </details>
    </div>
    <h2>Selection and tabs</h2>
    <nav class="switch" aria-label={`Selection, ${theme}`}>
      <a href="#top" aria-current="page">
        Open <span class="counter">12</span>
      </a>
      <a href="#top">Closed</a>
    </nav>
    <nav class="tabs" aria-label={`Tabs, ${theme}`}>
      <a href="#top" aria-current="page">
        <Icon name="code" />
        Code
      </a>
      <a href="#top">
        <Icon name="issue-opened" />
        Issues
        <span class="counter">5</span>
      </a>
    </nav>
    <h2>Icons</h2>
    <ul class="swatches">
      {iconNames.map((name) => (
        <li>
          <Icon name={name} />
          <code>{name}</code>
        </li>
      ))}
    </ul>
  </>
);

const Fields = ({ theme }: ThemedProps): Html => (
  <>
    <h2>Fields</h2>
    <Form action="#top" name={theme} problem={{ field: "name", message: "This name is reserved." }}>
      <Field name="name" label="Name" value="new" names="item" autocomplete="off" />
      <Choice
        name="kind"
        label="Kind"
        value="b"
        options={[
          ["a", "First"],
          ["b", "Second"],
        ]}
      />
      <TextArea name="text" label="Description" rows={3} hint="Markdown is supported." />
      <MoreFields />
      <Group legend="Options" hint="They can be changed later.">
        <CheckBox name="private" label="Private" isChecked hint="Only visible to collaborators." />
        <CheckBox name="restricted" label="Restrict pushes" isChecked>
          <OptionalField name="names" label="Users" value="" hint="Only shown while the checkbox is checked." />
        </CheckBox>
      </Group>
      <Submit label="Save changes" />
    </Form>
  </>
);

const Blocks = ({ theme }: ThemedProps): Html => (
  <>
    <h2>Messages</h2>
    <p class="notice">A message.</p>
    <p class="notice good">Saved.</p>
    <Problem text="The branch has changed. Reload the page and try again." />
    <h2>States, labels, badges and people</h2>
    <div class="bar">
      {states.map(([state, icon, text]) => (
        <span class={`state-badge ${state}`}>
          <Icon name={icon} />
          {text}
        </span>
      ))}
    </div>
    <div class="bar">
      {["d73a4a", "fbca04", "0e8a16", "ffffff", "000000", "5319e7", "7f7f7f"].map((color) => (
        <LabelChip name={color} color={color} href={undefined} />
      ))}
      <LabelChip name="priority/low" color="c5def5" href="#top" />
      <span class="badge">Public</span>
      <span class="badge good">Latest</span>
      <span class="badge bad">Failed</span>
      <span class="counter">42</span>
    </div>
    <div class="bar">
      {[16, 20, 24, 40].map((size) => (
        <Avatar account={ada} size={size} />
      ))}
      <Faces people={people} label="Assignees" />
      <kbd>t</kbd>
      <code>main</code>
    </div>
    <Topics topics={["forge", "git"]} />
    <h2>Boxes and lists</h2>
    <section class="box">
      <header>
        <h3>Box</h3>
        <span class="end soft">3 minutes ago</span>
      </header>
      <p>Content of the box.</p>
    </section>
    <Rows>
      <Row action={<button type="button">Remove</button>}>
        <strong>Row</strong>
        <div class="soft">With its action.</div>
      </Row>
      <Row action={<button type="button">Remove</button>}>Another row</Row>
    </Rows>
    <pre>git push -u origin main</pre>
    <Pager path="/-/design" page={{ page: 3, limit: 10, offset: 20 }} total={80} label={`Pages, ${theme}`} />
    <Empty icon="issue-opened" title="No issues yet">
      <p>Use issues to report bugs, request features and plan work.</p>
    </Empty>
  </>
);
