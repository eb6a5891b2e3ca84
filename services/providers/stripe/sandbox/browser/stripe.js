// The sandbox's Stripe.js: the part of its interface that @stripe/stripe-js and @stripe/react-stripe-js use. The card
// fields are in a frame of another origin, so this page never holds a card number.
(() => {
  const cardOrigin = "%CARD_ORIGIN%";
  const readyWithinMs = 10_000;
  const answerWithinMs = 40_000;
  const firstHeight = 250;

  class CardElement {
    constructor(publishableKey, appearance) {
      this.publishableKey = publishableKey;
      this.appearance = appearance;
      this.listeners = new Map();
      this.waiting = new Map();
      this.onMessage = (event) => this.receive(event);
    }

    on(name, listener) {
      this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
      return this;
    }
    once(name, listener) {
      const first = (event) => {
        this.off(name, first);
        listener(event);
      };
      return this.on(name, first);
    }
    off(name, listener) {
      this.listeners.set(
        name,
        listener ? (this.listeners.get(name) ?? []).filter((one) => one !== listener) : [],
      );
      return this;
    }
    emit(name, details = {}) {
      for (const listener of this.listeners.get(name) ?? []) listener({ elementType: "payment", ...details });
    }

    mount(target) {
      const place = typeof target === "string" ? document.querySelector(target) : target;
      if (!place) throw new Error("The payment element has nowhere to be mounted.");
      if (this.frame) this.unmount();
      this.frame = document.createElement("iframe");
      this.frame.title = "Secure payment input frame";
      this.frame.setAttribute("allow", "payment *");
      // Properties, not a style attribute: the page's Content-Security-Policy refuses the latter.
      Object.assign(this.frame.style, {
        width: "100%",
        border: "0",
        display: "block",
        height: `${firstHeight}px`,
      });
      this.frame.addEventListener("load", () =>
        this.send({ type: "init", appearance: this.appearance, key: this.publishableKey }),
      );
      window.addEventListener("message", this.onMessage);
      this.readyTimer = setTimeout(
        () =>
          this.emit("loaderror", {
            error: { type: "api_connection_error", message: "The card form did not load." },
          }),
        readyWithinMs,
      );
      // Listeners are attached right after mounting.
      queueMicrotask(() => this.emit("loaderstart"));
      this.frame.src = `${cardOrigin}/card`;
      place.replaceChildren(this.frame);
    }
    unmount() {
      clearTimeout(this.readyTimer);
      window.removeEventListener("message", this.onMessage);
      this.frame?.remove();
      this.frame = undefined;
      for (const settle of [...this.waiting.values()]) settle(connectionFault());
    }
    destroy() {
      this.unmount();
      this.listeners.clear();
    }
    update({ appearance } = {}) {
      if (!appearance) return;
      this.appearance = appearance;
      this.send({ type: "appearance", appearance });
    }
    focus() {
      this.send({ type: "focus" });
    }
    blur() {
      this.send({ type: "blur" });
    }
    clear() {
      this.send({ type: "clear" });
    }
    collapse() {}

    send(message) {
      this.frame?.contentWindow?.postMessage({ sandboxCard: 1, ...message }, cardOrigin);
    }
    /** Sends a request to the frame; returns a connection error if it is gone or takes too long. */
    ask(message) {
      if (!this.frame) return Promise.resolve(connectionFault());
      return new Promise((resolve) => {
        const id = crypto.randomUUID?.() ?? String(Math.random());
        const settle = (answer) => {
          clearTimeout(timer);
          this.waiting.delete(id);
          resolve(answer);
        };
        const timer = setTimeout(() => settle(connectionFault()), answerWithinMs);
        this.waiting.set(id, settle);
        this.send({ ...message, id });
      });
    }
    receive(event) {
      if (event.origin !== cardOrigin || event.source !== this.frame?.contentWindow) return;
      const message = event.data;
      if (message?.sandboxCard !== 1 || !Object.hasOwn(heard, message.type)) return;
      heard[message.type](this, message);
    }
  }

  /** Messages from the frame. */
  const heard = {
    ready: (element) => {
      clearTimeout(element.readyTimer);
      element.emit("ready");
    },
    height: (element, { height }) => {
      if (Number.isFinite(height)) element.frame.style.height = `${Math.min(Math.max(height, 0), 2000)}px`;
    },
    focus: (element) => element.emit("focus"),
    blur: (element) => element.emit("blur"),
    change: (element, { empty, complete }) =>
      element.emit("change", {
        empty: empty === true,
        complete: complete === true,
        collapsed: false,
        value: { type: "card" },
      }),
    answer: (element, { id, answer }) => element.waiting.get(id)?.(answer),
  };

  const connectionFault = () => ({
    error: {
      type: "api_connection_error",
      message:
        "The connection to the card provider was lost. Please try again: you will be charged only once.",
    },
  });

  class Elements {
    constructor(publishableKey, options = {}) {
      this.publishableKey = publishableKey;
      this.options = options;
    }
    create(type) {
      if (type !== "payment") throw new Error(`The sandbox has no ${type} element, only a payment element.`);
      this.element = new CardElement(this.publishableKey, this.options.appearance);
      return this.element;
    }
    getElement() {
      return this.element ?? null;
    }
    update(options = {}) {
      this.options = { ...this.options, ...options };
      this.element?.update(options);
    }
    async fetchUpdates() {
      return {};
    }
    async submit() {
      const { error } = await (this.element?.ask({ type: "validate" }) ?? connectionFault());
      return error ? { error } : { selectedPaymentMethod: "card" };
    }
  }

  const leaveFor = (address) => {
    window.location.assign(address);
    // The page is navigating away; as with Stripe, nothing after this call should run.
    return new Promise(() => {});
  };

  async function confirmPayment({ elements, clientSecret, confirmParams = {}, redirect = "always" } = {}) {
    const secret = clientSecret ?? elements?.options.clientSecret;
    if (!elements?.element || !secret)
      throw new Error("confirmPayment needs mounted elements and a client secret.");
    const returnUrl = confirmParams.return_url ?? window.location.href;
    const { error, paymentIntent, challengePath } = await elements.element.ask({
      type: "confirm",
      clientSecret: secret,
      returnUrl,
    });
    if (error) return { error };
    if (challengePath) return leaveFor(new URL(challengePath, cardOrigin).href);
    if (redirect !== "if_required") {
      const back = new URL(returnUrl);
      back.searchParams.set("payment_intent", paymentIntent.id);
      back.searchParams.set("payment_intent_client_secret", paymentIntent.client_secret);
      back.searchParams.set("redirect_status", "succeeded");
      return leaveFor(back.href);
    }
    return { paymentIntent };
  }

  async function retrievePaymentIntent(clientSecret) {
    try {
      const answer = await fetch("/sandbox/payment-intent", {
        headers: { "client-secret": clientSecret },
      });
      const body = await answer.json();
      return answer.ok ? { paymentIntent: body } : { error: body.error };
    } catch {
      return connectionFault();
    }
  }

  async function handleNextAction({ clientSecret }) {
    const { error, paymentIntent } = await retrievePaymentIntent(clientSecret);
    if (error) return { error };
    if (paymentIntent.status !== "requires_action") return { paymentIntent };
    const query = new URLSearchParams({ client_secret: clientSecret });
    return leaveFor(`${cardOrigin}/challenge?${query}`);
  }

  const notHere = (name) => async () => {
    throw new Error(`The sandbox has no ${name}: confirm with the payment element.`);
  };

  window.Stripe = (publishableKey) => ({
    elements: (options) => new Elements(publishableKey, options),
    confirmPayment,
    retrievePaymentIntent,
    handleNextAction,
    createToken: notHere("createToken"),
    createPaymentMethod: notHere("createPaymentMethod"),
    confirmCardPayment: notHere("confirmCardPayment"),
    registerAppInfo: () => {},
    _registerWrapper: () => {},
  });
})();
