// The page is to be read: no request is sent from it, neither to us nor to a validator elsewhere, and it asks for no token.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

const nothing = () => null;
const readsOnly = () => ({
  wrapComponents: {
    authorizeBtn: () => nothing,
    authorizeOperationBtn: () => nothing,
    ServersContainer: () => nothing,
    CopyToClipboardBtn: () => nothing,
  },
});

window.SwaggerUIBundle({
  url: "/api/docs/openapi.json",
  dom_id: "#operations",
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [readsOnly],
  layout: "BaseLayout",
  validatorUrl: null,
  supportedSubmitMethods: [],
  queryConfigEnabled: false,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  // A link inside the button of an operation is one that no screen reader finds.
  deepLinking: false,
  filter: true,
});
