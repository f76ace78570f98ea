/** Error pages. */
export const english = {
  titles: {
    400: "Bad request",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    412: "Precondition failed",
    413: "Too large",
    422: "Invalid input",
    423: "Locked",
    429: "Too many requests",
    503: "Service unavailable",
  },
  otherTitle: "Something went wrong",
  /** Advice on what to do about the error. */
  advice: {
    404: "The page may have been moved or deleted, or you may not have access to it. Check the address for typing errors.",
    409: "The content was changed at the same time. Go back and reload the page.",
    403: "You do not have permission to do this. Ask the owner for access.",
    422: "Go back and correct your input.",
    423: "Ask an administrator to unlock it.",
    429: "Wait a moment, then try again.",
    503: "Try again in a moment.",
    500: "The server encountered an error. Try again. If the problem persists, give your administrator the request ID below.",
  },
  signIn: "Sign in to see pages that require an account",
  broken: "This part of the page could not be loaded. Reload the page. If the problem persists, contact your administrator.",
  loadAgain: "Reload the page",
  requestId: "Request ID",
  toFrontPage: "Home",
  toExplore: "Explore repositories",
};
