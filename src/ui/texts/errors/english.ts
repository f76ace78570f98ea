/** What is said where a page cannot be shown. */
export const errors = {
  titles: {
    400: "This address does not work",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible",
    409: "Changed meanwhile",
    412: "Not possible as it is now",
    413: "Too large",
    422: "This does not work",
    423: "Locked",
    429: "Too many attempts",
    503: "Not now",
  },
  otherTitle: "Something went wrong",
  /** What can be done about it. */
  advice: {
    404: "It may have been moved or deleted, or it is not for you to see. A typing error in the address is possible too.",
    409: "Go back and load the page anew: somebody else was quicker.",
    403: "If you should be able to do this, ask whoever owns it to let you.",
    422: "Go back: what you typed is still there.",
    423: "Whoever locked it can open it again.",
    429: "Wait a little, then try again.",
    503: "Try again in a moment.",
    500: "This is the server's fault. Try again; if it stays so, tell your administrator the number below.",
  },
  signIn: "Sign in, if it is for people who have signed in",
  broken: "This part of the page could not be read: that is the server's fault. Load it again; if it stays so, tell your administrator when it happened.",
  loadAgain: "Load the page again",
  requestId: "Number of this request",
  toFrontPage: "To the front page",
  toExplore: "Look for a repository",
};
