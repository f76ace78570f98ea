import { make, makeButton, openDialog, say } from "./page.js";

/** Forms whose question was answered with yes. @type {WeakSet<HTMLFormElement>} */
const confirmed = new WeakSet();

const titleId = "confirmation-title";

/**
 * Asks before a red button deletes something at once. Forms that the user fills in and buttons in a section that is opened for them need no
 * question.
 */
export function confirmDeletions() {
  // Before the listeners that send the form.
  document.addEventListener(
    "submit",
    (event) => {
      const { target: form, submitter } = event;
      if (!(form instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement) || !needsQuestion(form, submitter)) return;
      if (confirmed.delete(form)) return;
      event.preventDefault();
      event.stopPropagation();
      ask(form, submitter);
    },
    true,
  );
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement} button */
const needsQuestion = (form, button) =>
  button.matches(".danger:not([data-reversible])") &&
  form.closest("details:not(.menu), dialog") === null &&
  form.querySelector("input:not([type=hidden]), textarea, select") === null;

/** @param {HTMLFormElement} form @param {HTMLButtonElement} button */
function ask(form, button) {
  const { cancel, question } = say().confirmation;
  const label = button.textContent?.trim() ?? "";
  const yes = make("button", { type: "button", class: "danger" }, [label]);
  const no = makeButton(cancel, () => dialog.close());
  no.className = "";
  no.autofocus = true;
  const dialog = make("dialog", { class: "confirmation", "aria-labelledby": titleId }, [
    make("h2", { id: titleId }, [button.getAttribute("aria-label") ?? label]),
    make("p", {}, [question]),
    make("div", { class: "end" }, [no, yes]),
  ]);
  yes.addEventListener("click", () => {
    dialog.close();
    confirmed.add(form);
    form.requestSubmit(button);
  });
  openDialog(dialog);
}
