import { h } from "preact";
import type { ShownSetting } from "../../../config/shown-config.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

/** Every setting as it is, section by section. */
export function ConfigView({ settings }: { readonly settings: readonly ShownSetting[] }): Html {
  const { config: texts } = useTexts().administration;
  const sections = Map.groupBy(settings, ({ section }) => section);
  return [
    h("p", { class: "soft" }, texts.intro),
    h(
      "nav",
      { "aria-label": texts.sections },
      h(
        "ul",
        { class: "chips" },
        [...sections.keys()].map((name) => h("li", null, h("a", { class: "badge", href: `#${name}` }, name))),
      ),
    ),
    [...sections].map(([name, members]) => h(Section, { name, members })),
  ];
}

function Section({ name, members }: { readonly name: string; readonly members: readonly ShownSetting[] }): Html {
  const { config: texts } = useTexts().administration;
  return h(
    "section",
    null,
    h("h2", { id: name }, name),
    h(
      "div",
      { class: "wide", tabIndex: 0, role: "region", "aria-labelledby": name },
      h(
        "table",
        { class: "table values" },
        h("tr", null, h("th", { scope: "col" }, texts.setting), h("th", { scope: "col" }, texts.value), h("th", { scope: "col" }, texts.origin)),
        members.map((member) => h(Setting, { member })),
      ),
    ),
  );
}

function Setting({ member }: { readonly member: ShownSetting }): Html {
  const { config: texts } = useTexts().administration;
  const { name, variable, comment, value, origin } = member;
  return h(
    "tr",
    null,
    h("td", null, h("strong", null, name), h("div", { class: "soft" }, comment), h("code", null, variable)),
    h("td", null, value === undefined ? h("em", null, texts.secret) : value === "" ? h("span", { class: "soft" }, texts.empty) : h("code", null, value)),
    h("td", null, origin === "default" ? h("span", { class: "soft" }, texts.origins[origin]) : h("span", { class: "badge" }, texts.origins[origin])),
  );
}
