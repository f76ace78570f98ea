import type { FormProblem } from "../../../../core/form-problem.ts";
import { FileField, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { maxPictureBytes, maxPictureSide } from "../picture.ts";
import { avatarTexts } from "../texts/texts.ts";

export interface PictureProps {
  /** Path of the page. */
  readonly path: string;
  /** The current picture; undefined if there is none. */
  readonly url: string | undefined;
  readonly isUploaded: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function PictureView({ path, url, isUploaded, problem, formToken }: PictureProps): Html {
  const texts = useTexts(avatarTexts);
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

/** The image of a repository's link previews, with its forms. */
export function PreviewSection({ path, url, problem, formToken }: Omit<PictureProps, "isUploaded">): Html {
  const texts = useTexts(avatarTexts);
  return (
    <section>
      <h2>{texts.preview}</h2>
      <p class="soft">{texts.previewHint}</p>
      {url !== undefined && (
        <p>
          <img class="preview" src={url} alt={texts.presentPreview} />
        </p>
      )}
      <Form action={path} formToken={formToken} name="preview" problem={problem} hasFiles>
        <FileField
          name="preview"
          label={texts.previewFile}
          hint={texts.previewFileHint(maxPictureBytes / 1_048_576, maxPictureSide)}
          accept="image/png,image/jpeg,image/gif,image/webp"
          maxBytes={maxPictureBytes}
        />
        <Submit label={texts.uploadPreview} isSecondary />
      </Form>
      {url !== undefined && (
        <form method="post" action={`${path}/delete`}>
          <FormToken value={formToken} />
          <button class="danger" type="submit">
            {texts.removePreview}
          </button>
        </form>
      )}
    </section>
  );
}
