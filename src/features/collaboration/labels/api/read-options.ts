import type { CreateLabelOption, EditLabelOption } from "../../../../wire/label.ts";
import type { LabelEdit, NewLabelInput } from "../model.ts";

export const readNewLabel = (option: CreateLabelOption): NewLabelInput => ({
  name: option.name,
  color: option.color,
  description: option.description,
  isExclusive: option.exclusive,
  isArchived: option.is_archived,
});

export const readLabelEdit = (option: EditLabelOption): LabelEdit => ({
  name: option.name,
  color: option.color,
  description: option.description,
  isExclusive: option.exclusive,
  isArchived: option.is_archived,
});
