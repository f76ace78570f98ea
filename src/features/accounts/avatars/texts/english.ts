/** Avatars of users, organizations and repositories. */
export const english = {
  present: "Current avatar",
  file: "Image",
  fileHint: (megabytes: number, side: number) => `PNG, JPEG, GIF or WebP, up to ${megabytes} MB and ${side} × ${side} pixels. Square images look best.`,
  upload: "Update avatar",
  remove: "Remove avatar",
  removeHint: "A generated avatar is used instead.",
  noneHint: "The current avatar is generated.",
  chooseFile: "Choose an image first.",
};
