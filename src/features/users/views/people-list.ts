import { h } from "preact";
import { accountPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";

/** Somebody, or an organization, as lists show them. */
export interface ListedPerson {
  readonly name: string;
  readonly fullName: string;
  readonly location: string;
  readonly description: string;
  readonly avatarUrl: string;
  readonly createdMs?: number;
}

/** People below each other, each with what one knows them by. */
export const PeopleList = ({ people }: { readonly people: readonly ListedPerson[] }): Html =>
  h(
    "ul",
    { class: "list people" },
    people.map((person) => h(Person, { person })),
  );

function Person({ person }: { readonly person: ListedPerson }): Html {
  const { people: texts } = useTexts();
  const { name, fullName, location, description, avatarUrl, createdMs } = person;
  return h(
    "li",
    null,
    h("img", { class: "avatar", src: avatarUrl, width: 40, height: 40, alt: "", loading: "lazy" }),
    h(
      "div",
      { class: "what" },
      h("a", { class: "row-title", href: accountPath(name) }, name),
      fullName !== "" && h("span", { class: "soft" }, ` ${fullName}`),
      description !== "" && h("p", { dir: "auto" }, description),
      h(
        "div",
        { class: "meta" },
        location !== "" && h("span", null, h(Icon, { name: "location" }), " ", location),
        createdMs !== undefined && h("span", null, texts.joined, " ", h(Day, { ms: createdMs })),
      ),
    ),
  );
}
