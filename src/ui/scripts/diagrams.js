import { make, say, tell } from "./page.js";

// Draws code blocks in Mermaid's language. The library runs in a sandboxed frame with an origin of its own, because it turns a text of any
// user into HTML.

/** Further diagrams of a page stay source: each needs a frame. */
const maxDiagrams = 50;
/** The limit for a diagram, from its source to its picture. Loading the library has a limit of its own. */
const drawMs = 8_000;
const loadMs = 30_000;
const maxHeight = 6_000;

/** Frames are loaded one after another, so that many diagrams do not occupy the processor together. */
let queue = Promise.resolve();
let begun = 0;

/** @param {ParentNode} [within] what has come to the page; all of it at its beginning */
export function drawDiagrams(within = document) {
  const sources = within.querySelectorAll("pre > code.language-mermaid");
  if (sources.length === 0) return;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        if (begun === maxDiagrams) return observer.disconnect();
        begun += 1;
        queue = queue.then(() => draw(target));
      }
    },
    { rootMargin: "300px" },
  );
  for (const code of sources) observer.observe(code.closest(".code-block-container") ?? code);
}

/** @param {Element} block with the source of a diagram @returns when the diagram is drawn or given up */
function draw(block) {
  const texts = say();
  const source = block.querySelector("code.language-mermaid")?.textContent ?? "";
  const frame = make("iframe", { class: "diagram", sandbox: "allow-scripts", src: "/-/diagram", title: texts.diagram });
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const send = () => {
    const { theme = isDark.matches ? "dark" : "light" } = document.documentElement.dataset;
    frame.contentWindow?.postMessage({ source, isDark: theme === "dark" }, "*");
  };
  return new Promise((/** @type {(value: void) => void} */ settle) => {
    /** @type {ReturnType<typeof setTimeout>} */
    let limit;
    const giveUp = (/** @type {string} */ reason) => {
      removeEventListener("message", receive);
      isDark.removeEventListener("change", send);
      clearTimeout(limit);
      const details = frame.nextElementSibling;
      frame.remove();
      if (details instanceof HTMLDetailsElement && details.contains(block)) details.replaceWith(block);
      tell(block, `${texts.noDiagram} ${reason}`.trim());
      settle();
    };
    /** @param {MessageEvent} event */
    const receive = ({ source: sender, data }) => {
      if (sender !== frame.contentWindow) return;
      if (data.isReady === true) {
        clearTimeout(limit);
        limit = setTimeout(giveUp, drawMs, "");
        send();
      } else if (typeof data.height === "number") {
        clearTimeout(limit);
        frame.height = `${Math.min(Math.max(data.height, 1), maxHeight)}`;
        fold(frame, block);
        settle();
      } else if (typeof data.problem === "string") giveUp(data.problem.slice(0, 500));
    };
    limit = setTimeout(giveUp, loadMs, "");
    addEventListener("message", receive);
    isDark.addEventListener("change", send);
    block.before(frame);
  });
}

/** The source stays below its diagram. @param {HTMLIFrameElement} frame @param {Element} block */
function fold(frame, block) {
  if (frame.dataset.drawn !== undefined) return;
  frame.dataset.drawn = "";
  const details = make("details", { class: "diagram-source" }, [make("summary", {}, [say().diagramSource])]);
  block.replaceWith(details);
  details.append(block);
}
