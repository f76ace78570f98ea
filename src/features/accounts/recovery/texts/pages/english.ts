/** Forgotten passwords, and the verification of email addresses. */
export const english = {
  recovery: {
    title: "Forgot password",
    lead: "Enter the email address of your account. We will send you a link to set a new password.",
    email: "Email address",
    send: "Send recovery email",
    askedTitle: "Check your inbox",
    requested: "If ",
    askedRest: " belongs to an account, we sent an email to it.",
    askedHint: "This may take a few minutes. Check your spam folder, too.",
    emailDisabled: "This server cannot send emails. Ask an administrator for a new password.",
  },
  address: {
    title: "Verify your email address",
    says: " added ",
    saysRest: " as their email address. Is this you?",
    confirm: "Verify email address",
    doneTitle: "Email address verified",
    isNow: " is now an email address of ",
    isNowRest: ".",
  },
};
