import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { FileField, Form, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { FormToken } from "../../../ui/page.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { maxPictureBytes, maxPictureSide } from "../picture.ts";

export interface PictureFacts {
  /** Of the page. */
  readonly path: string;
  /** What is shown now; undefined where nothing is. */
  readonly url: string | undefined;
  readonly isUploaded: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** A picture: what it is, another one, and the end of it. */
export function PictureView({ path, url, isUploaded, problem, formToken }: PictureFacts): Html {
  const { pictures: texts } = useTexts();
  return [
    url !== undefined &&
      h("p", null, h("img", { class: "avatar", src: url, width: 96, height: 96, alt: texts.present }), !isUploaded && [h("br", null), texts.noneHint]),
    h(
      Form,
      { action: path, formToken, problem, hasFiles: true },
      h(FileField, {
        name: "picture",
        label: texts.file,
        hint: texts.fileHint(maxPictureBytes / 1_048_576, maxPictureSide),
        accept: "image/png,image/jpeg,image/gif,image/webp",
        maxBytes: maxPictureBytes,
      }),
      h(Submit, { label: texts.upload }),
    ),
    isUploaded &&
      h(
        "section",
        null,
        h("h2", null, texts.remove),
        h("p", { class: "soft" }, texts.removeHint),
        h(
          "form",
          { method: "post", action: `${path}/delete` },
          h(FormToken, { value: formToken }),
          h("button", { class: "danger", type: "submit" }, texts.remove),
        ),
      ),
  ];
}
