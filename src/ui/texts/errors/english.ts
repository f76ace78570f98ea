/** What is said where a page cannot be shown. */
export const errors = {
  titles: {
    400: "This address does not work",
    403: "Not allowed",
    404: "Not found",
    413: "Too large",
    429: "Too many attempts",
    503: "Not now",
  },
  otherTitle: "Something went wrong",
  /** What can be done about it. */
  advice: {
    404: "It may have been moved or deleted, or it is not for you to see. A typing error in the address is possible too.",
    403: "If you should be able to do this, ask whoever owns it to let you.",
    429: "Wait a little, then try again.",
    503: "Try again in a moment.",
    500: "This is the server's fault. Try again; if it stays so, tell your administrator the number below.",
  },
  requestId: "Number of this request",
  toFrontPage: "To the front page",
  toExplore: "Look for a repository",
};
