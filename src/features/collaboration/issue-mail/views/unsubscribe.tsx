import { Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";

/** What the issue is called is not told: whoever holds the letter may not be allowed to read it any more. */
export function UnsubscribeView({ code, isOfAll }: { readonly code: string; readonly isOfAll: boolean }): Html {
  const { unsubscribing: texts } = useTexts().signing;
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
  const { unsubscribing: texts } = useTexts().signing;
  return (
    <p class="notice good" role="status">
      {isOfAll ? texts.doneOfAll : texts.doneOfOne}
    </p>
  );
}
