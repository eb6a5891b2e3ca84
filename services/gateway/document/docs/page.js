// The page is to be read: no request is sent from it, neither to us nor to a validator elsewhere, and it asks for no token.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

// Each paragraph of the document's introduction, with `code` between backticks.
function introduce(description) {
  const paragraphs = description.split("\n\n").map((text) => {
    const paragraph = document.createElement("p");
    for (const [index, part] of text.split("`").entries()) {
      const code = document.createElement("code");
      code.textContent = part;
      paragraph.append(index % 2 === 1 ? code : part);
    }
    return paragraph;
  });
  document.getElementById("introduction").replaceChildren(...paragraphs);
}

const nothing = () => null;
const readsOnly = () => ({
  wrapComponents: {
    InfoContainer: () => nothing,
    authorizeBtn: () => nothing,
    authorizeOperationBtn: () => nothing,
    ServersContainer: () => nothing,
    CopyToClipboardBtn: () => nothing,
  },
});

const response = await fetch("/api/docs/openapi.json");
const spec = await response.json();
introduce(spec.info.description);
window.SwaggerUIBundle({
  spec,
  dom_id: "#operations",
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [readsOnly],
  layout: "BaseLayout",
  validatorUrl: null,
  supportedSubmitMethods: [],
  queryConfigEnabled: false,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  // Its colours are too pale to read.
  syntaxHighlight: false,
  // A link inside the button of an operation is one that no screen reader finds.
  deepLinking: false,
  filter: false,
});
