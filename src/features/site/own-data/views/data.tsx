import { Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { accountPaths } from "../../../../ui/settings.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { dataTexts } from "../texts/texts.ts";

export interface DataProps {
  /** A link that was just created. */
  readonly link: { readonly address: string; readonly expiresMs: number } | undefined;
  readonly formToken: string;
}

export function OwnDataView({ link, formToken }: DataProps): Html {
  const texts = useTexts(dataTexts);
  return (
    <>
      <p>{texts.intro}</p>
      <ul>
        {texts.contents.map((content) => (
          <li>{content}</li>
        ))}
      </ul>
      <p>{texts.without}</p>
      {link === undefined ? (
        <>
          <p class="soft">{texts.hint}</p>
          <Form action={accountPaths.data} formToken={formToken}>
            <Submit label={texts.create} />
          </Form>
        </>
      ) : (
        <section class="notice" role="status">
          <p>{texts.ready}</p>
          <p>
            <a class="button" href={link.address} rel="nofollow" download>
              {texts.download}
            </a>
          </p>
        </section>
      )}
    </>
  );
}
