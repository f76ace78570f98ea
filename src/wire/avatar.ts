import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { field, option, text } from "./schema.ts";

/** For users and organizations. `image` is base64. */
export const UpdateUserAvatarOption = option("UpdateUserAvatarOption", {
  image: field("Image", text(lengths.file), "Required"),
});
export type UpdateUserAvatarOption = Static<typeof UpdateUserAvatarOption>;

export const UpdateRepoAvatarOption = option("UpdateRepoAvatarOption", {
  image: field("Image", text(lengths.file), "Required"),
});
export type UpdateRepoAvatarOption = Static<typeof UpdateRepoAvatarOption>;
