/** Creating an account. */
export const english = {
  lead: "Enter your email address. We will send you a link to create your account.",
  send: "Send registration email",
  already: "Already have an account?",
  signIn: "Sign in",
  closed: "Registration is disabled. Ask an administrator to create an account for you.",
  requested: "We sent an email to ",
  askedRest: ". Open its link to continue.",
  confirmed: "The address ",
  confirmedRest: " is verified. Choose a username.",
  name: "Username",
  nameHint: "The name is part of the URLs of your repositories.",
  password: "Password",
  retype: "Confirm password",
  make: "Create account",
};
