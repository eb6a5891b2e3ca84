import { applyAppearance } from "./card-appearance.js";
import { createFields } from "./card-fields.js";

// The frame communicates only with its parent page, and only if that is one of the product's.
const pageOrigins = new Set(document.body.dataset.pageOrigins.split(" "));
const form = document.getElementById("card");
let pageOrigin;
let publishableKey;

const send = (message) => {
  if (pageOrigin) window.parent.postMessage({ sandboxCard: 1, ...message }, pageOrigin);
};

const fields = createFields({
  onChange: (state) => send({ type: "change", ...state }),
  onFocus: () => send({ type: "focus" }),
  onBlur: () => send({ type: "blur" }),
});

const sendHeight = () => send({ type: "height", height: document.documentElement.offsetHeight });

const connectionFault = {
  type: "api_connection_error",
  message: "The connection to the card provider was lost. Please try again: you will be charged only once.",
};

async function confirm({ clientSecret, returnUrl }) {
  const card = fields.read();
  if (card.error) return { error: card.error };
  try {
    const answer = await fetch("/confirm", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...card.value, publishableKey, clientSecret, returnUrl }),
      signal: AbortSignal.timeout(30_000),
    });
    return await answer.json();
  } catch {
    return { error: connectionFault };
  }
}

const handlers = {
  init: ({ appearance, key }) => {
    publishableKey = key;
    applyAppearance(appearance);
    // The height first: a form that grew after it was ready would move the Pay button during a click.
    sendHeight();
    send({ type: "ready" });
  },
  appearance: ({ appearance }) => applyAppearance(appearance),
  focus: () => fields.focus(),
  blur: () => document.activeElement?.blur(),
  clear: () => fields.clear(),
  validate: ({ id }) => send({ type: "answer", id, answer: { error: fields.read().error } }),
  confirm: async ({ id, ...payment }) => send({ type: "answer", id, answer: await confirm(payment) }),
};

window.addEventListener("message", (event) => {
  if (event.source !== window.parent || !pageOrigins.has(event.origin)) return;
  if (event.data?.sandboxCard !== 1 || !Object.hasOwn(handlers, event.data.type)) return;
  pageOrigin = event.origin;
  handlers[event.data.type](event.data);
});

// Enter in a card field would submit the form.
form.addEventListener("submit", (event) => event.preventDefault());

new ResizeObserver(sendHeight).observe(document.documentElement);
