// Read-only: the page sends no requests, neither to us nor to an external validator, and asks for no token.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

// The paragraphs of the introduction; backticks mark `code`.
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
  // Swagger UI's colours have too little contrast.
  syntaxHighlight: false,
  // Screen readers cannot reach a link inside an operation's button.
  deepLinking: false,
  filter: false,
});
