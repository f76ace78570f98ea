// Runs in the sandboxed document of a diagram (features/site/diagrams), after the library. It is a classic script, because modules cannot
// be loaded into an origin of its own.

(() => {
  /** @type {{ initialize(options: object): void, render(id: string, source: string): Promise<{ svg: string }> }} */
  const library = Reflect.get(globalThis, "mermaid");
  const answer = (/** @type {object} */ message) => parent.postMessage(message, "*");

  /** @param {MessageEvent} event */
  const draw = async ({ source: sender, data }) => {
    if (sender !== parent) return;
    library.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      suppressErrorRendering: true,
      theme: data.isDark ? "dark" : "default",
      maxTextSize: 50_000,
      maxEdges: 500,
      fontFamily: "system-ui, sans-serif",
    });
    try {
      const { svg } = await library.render("diagram", data.source);
      document.body.innerHTML = svg;
      tellHeight();
    } catch (error) {
      answer({ problem: error instanceof Error ? error.message : String(error) });
    }
  };

  const tellHeight = () => {
    const svg = document.querySelector("svg");
    if (svg !== null) answer({ height: Math.ceil(svg.getBoundingClientRect().height) });
  };

  Object.assign(document.body.style, { margin: "0", overflow: "hidden", display: "flex", justifyContent: "center" });
  addEventListener("message", draw);
  addEventListener("resize", tellHeight);
  answer({ isReady: true });
})();
