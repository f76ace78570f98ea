import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { CheckBox, Field, OptionalField } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { OwnList } from "../../../../ui/own-list.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { StarList, StarListInput } from "../model.ts";
import { starListTexts } from "../texts/texts.ts";

export interface StarListsProps {
  readonly lists: readonly StarList[];
  /** The list in the form; undefined for a new one. */
  readonly present: StarList | undefined;
  readonly values: StarListInput;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The star lists of a user, with a form for a new one or for one of them. */
export function StarListsView({ lists, values, ...props }: StarListsProps): Html {
  const texts = useTexts(starListTexts);
  const rowOf = ({ name, description, isPrivate }: StarList): Html => (
    <>
      <strong dir="auto">{name}</strong> {isPrivate && <span class="badge">{texts.privateList}</span>}
      {description !== "" && (
        <p class="soft" dir="auto">
          {description}
        </p>
      )}
    </>
  );
  return (
    <OwnList {...props} path={accountPaths.starLists} items={lists} nameOf={({ name }) => name} rowOf={rowOf} icon="star" texts={texts} problem={props.problem}>
      <Field name="name" label={texts.name} value={values.name} maxLength={lengths.line} autocomplete="off" />
      <OptionalField name="description" label={texts.description} value={values.description} maxLength={lengths.line} />
      <CheckBox name="is_private" label={texts.isPrivate} isChecked={values.isPrivate} />
    </OwnList>
  );
}
