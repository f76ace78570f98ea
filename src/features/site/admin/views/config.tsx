import type { ShownSetting } from "../../../../config/shown-config.ts";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { WithCode } from "../../../../ui/with-code.tsx";
import { adminTexts, settingTexts } from "../texts/texts.ts";

export function ConfigView({ settings }: { readonly settings: readonly ShownSetting[] }): Html {
  const texts = useTexts(adminTexts).config;
  const sections = Map.groupBy(settings, ({ section }) => section);
  return (
    <>
      <p class="soft">{texts.intro}</p>
      <nav aria-label={texts.sections}>
        <ul class="chips">
          {[...sections.keys()].map((name) => (
            <li>
              <a class="badge" href={`#${name}`}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {[...sections].map(([name, members]) => (
        <Section name={name} members={members} />
      ))}
    </>
  );
}

function Section({ name, members }: { readonly name: string; readonly members: readonly ShownSetting[] }): Html {
  const texts = useTexts(adminTexts).config;
  return (
    <section>
      <h2 id={name}>{name}</h2>
      <div class="wide" tabIndex={0} role="region" aria-labelledby={name}>
        <table class="table values">
          <tr>
            <th scope="col">{texts.setting}</th>
            <th scope="col">{texts.value}</th>
            <th scope="col">{texts.origin}</th>
          </tr>
          {members.map((member) => (
            <Setting member={member} />
          ))}
        </table>
      </div>
    </section>
  );
}

function Setting({ member }: { readonly member: ShownSetting }): Html {
  const texts = useTexts(adminTexts).config;
  const descriptions = useTexts(settingTexts);
  const { section, name, variable, comment, value, origin } = member;
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <div class="soft">
          <WithCode text={descriptions[section]?.[name] ?? comment} />
        </div>
        <code>{variable}</code>
      </td>
      <td>{value === undefined ? <em>{texts.secret}</em> : value === "" ? <span class="soft">{texts.empty}</span> : <code>{value}</code>}</td>
      <td>{origin === "default" ? <span class="soft">{texts.origins[origin]}</span> : <span class="badge">{texts.origins[origin]}</span>}</td>
    </tr>
  );
}
