/** Pictures of people, organizations and repositories. */
export const pictures = {
  present: "What everybody sees",
  file: "Picture",
  fileHint: (megabytes: number, side: number) => `PNG, JPEG, GIF or WebP, at most ${megabytes} MB and ${side} pixels wide or high. Square ones look best.`,
  upload: "Use this picture",
  remove: "Take it away",
  removeHint: "A picture that is drawn from the name or the address takes its place.",
  noneHint: "The one shown now is drawn from the name or the address.",
  chooseFile: "Choose a picture first.",
};
