/** Avatars of users, organizations and repositories. */
export const english = {
  present: "Current avatar",
  file: "Image",
  fileHint: (megabytes: number, side: number) => `PNG, JPEG, GIF or WebP, up to ${megabytes} MB and ${side} × ${side} pixels. Square images look best.`,
  upload: "Update avatar",
  remove: "Remove avatar",
  removeHint: "A generated avatar is used instead.",
  noneHint: "The current avatar is generated.",
  preview: "Social preview",
  previewHint: "Other sites and chat programs show this image with links to the repository. Without one, they show its avatar or that of its owner.",
  previewFile: "Preview image",
  presentPreview: "Current social preview",
  previewFileHint: (megabytes: number, side: number) =>
    `PNG, JPEG, GIF or WebP, up to ${megabytes} MB and ${side} × ${side} pixels. Images of 1280 × 640 pixels look best. Everyone who knows its address can see the image, also of a private repository.`,
  uploadPreview: "Update social preview",
  removePreview: "Remove social preview",
  chooseFile: "Choose an image first.",
};
