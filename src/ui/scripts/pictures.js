import { make, makeButton, say } from "./page.js";

/**
 * Adds other ways to compare two versions of an image: one above the other with a divider (swipe), or with a variable opacity (onion skin). Without
 * scripts the images are side by side.
 */
export function comparePictures() {
  const texts = say().pictures;
  for (const place of document.querySelectorAll(".pictures")) {
    const images = place.querySelectorAll("img");
    if (images.length !== 2) continue;
    const slider = make("input", { type: "range", min: "0", max: "100", value: "50" });
    const show = () => {
      // Through the object model: the policy of pages forbids style attributes.
      /** @type {HTMLElement} */ (place).style.setProperty("--shown", slider.value);
    };
    slider.addEventListener("input", show);
    const ways = /** @type {const} */ (["sideBySide", "swipe", "onionSkin"]);
    const buttons = ways.map((way) =>
      makeButton(texts[way], () => {
        place.setAttribute("data-compare", way);
        slider.hidden = way === "sideBySide";
        slider.setAttribute("aria-label", `${texts[way]}: ${texts.after}`);
        for (const [index, button] of buttons.entries()) button.setAttribute("aria-pressed", String(ways[index] === way));
      }),
    );
    slider.hidden = true;
    buttons[0]?.setAttribute("aria-pressed", "true");
    for (const button of buttons.slice(1)) button.setAttribute("aria-pressed", "false");
    show();
    place.after(make("div", { class: "picture-ways" }, [make("div", { class: "switch", role: "group", "aria-label": texts.title }, buttons), slider]));
  }
}
