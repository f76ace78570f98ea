import type { FormProblem } from "../../../../core/form-problem.ts";
import { FileField, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { maxPictureBytes, maxPictureSide } from "../picture.ts";

export interface PictureProps {
  /** Of the page. */
  readonly path: string;
  /** What is shown now; undefined where nothing is. */
  readonly url: string | undefined;
  readonly isUploaded: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** A picture: what it is, another one, and the end of it. */
export function PictureView({ path, url, isUploaded, problem, formToken }: PictureProps): Html {
  const { pictures: texts } = useTexts();
  return (
    <>
      {url !== undefined && (
        <p>
          <img class="avatar" src={url} width={96} height={96} alt={texts.present} />
          {!isUploaded && (
            <>
              <br />
              {texts.noneHint}
            </>
          )}
        </p>
      )}
      <Form action={path} formToken={formToken} problem={problem} hasFiles>
        <FileField
          name="picture"
          label={texts.file}
          hint={texts.fileHint(maxPictureBytes / 1_048_576, maxPictureSide)}
          accept="image/png,image/jpeg,image/gif,image/webp"
          maxBytes={maxPictureBytes}
        />
        <Submit label={texts.upload} />
      </Form>
      {isUploaded && (
        <section>
          <h2>{texts.remove}</h2>
          <p class="soft">{texts.removeHint}</p>
          <form method="post" action={`${path}/delete`}>
            <FormToken value={formToken} />
            <button class="danger" type="submit">
              {texts.remove}
            </button>
          </form>
        </section>
      )}
    </>
  );
}
