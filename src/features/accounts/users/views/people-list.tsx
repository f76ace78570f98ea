import { accountPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import { accountTexts } from "../texts/texts.ts";

/** A user or organization in a list. */
export interface ListedPerson {
  readonly name: string;
  readonly fullName: string;
  readonly location: string;
  readonly description: string;
  readonly avatarPath: string;
  readonly createdMs?: number;
}

export const PeopleList = ({ people }: { readonly people: readonly ListedPerson[] }): Html => (
  <ul class="list people">
    {people.map((person) => (
      <Person person={person} />
    ))}
  </ul>
);

function Person({ person }: { readonly person: ListedPerson }): Html {
  const texts = useTexts(accountTexts);
  const { name, fullName, location, description, avatarPath, createdMs } = person;
  return (
    <li>
      <img class="avatar" src={avatarPath} width={40} height={40} alt="" loading="lazy" />
      <div class="what">
        <a class="row-title" href={accountPath(name)}>
          {name}
        </a>
        {fullName !== "" && <span class="soft">{` ${fullName}`}</span>}
        {description !== "" && <p dir="auto">{description}</p>}
        <div class="meta">
          {location !== "" && (
            <span>
              <Icon name="location" /> {location}
            </span>
          )}
          {createdMs !== undefined && (
            <span>
              {texts.joined} <Day ms={createdMs} />
            </span>
          )}
        </div>
      </div>
    </li>
  );
}
