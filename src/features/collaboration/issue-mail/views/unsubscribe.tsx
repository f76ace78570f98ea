import { Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { unsubscribeTexts } from "../texts/texts.ts";

/** Does not show the title, because the link's holder may have lost access to the issue. */
export function UnsubscribeView({ code, isOfAll }: { readonly code: string; readonly isOfAll: boolean }): Html {
  const texts = useTexts(unsubscribeTexts);
  return (
    <>
      <p>{isOfAll ? texts.ofAll : texts.ofOne}</p>
      <Form action={`/user/unsubscribe?code=${code}`}>
        <button class="primary" type="submit">
          {texts.confirm}
        </button>
      </Form>
    </>
  );
}

export function UnsubscribedView({ isOfAll }: { readonly isOfAll: boolean }): Html {
  const texts = useTexts(unsubscribeTexts);
  return (
    <p class="notice good" role="status">
      {isOfAll ? texts.doneOfAll : texts.doneOfOne}
    </p>
  );
}
