// Stands for Clerk's own script, which a browser gets from the host that the publishable key names: as much of its documented
// interface as its React components call, with a sign-in that asks for a user name alone.
(() => {
  const { src } = document.currentScript;
  const { origin } = new URL(src);
  const kept = "stand-in-client";
  const listeners = new Set();
  const statusListeners = new Set();
  let options = {};
  let cached = null;

  const ask = async (path, body) => {
    const response = await fetch(`${origin}/stand-in${path}`, {
      method: "POST",
      body: JSON.stringify({ client: localStorage.getItem(kept), ...body }),
    });
    if (!response.ok) throw new Error(`The stand-in answered ${response.status}.`);
    return response.json();
  };

  const sessionOf = ({ id, userId }) => ({
    id,
    status: "active",
    user: { id: userId },
    async getToken({ skipCache = false } = {}) {
      if (cached && !skipCache && performance.now() < cached.until) return cached.jwt;
      const { jwt } = await ask("/token");
      cached = jwt === null ? null : { jwt, until: performance.now() + 50_000 };
      return jwt;
    },
  });

  const become = (found) => {
    clerk.session = found && sessionOf(found);
    clerk.user = clerk.session?.user ?? null;
    for (const listener of listeners) listener(clerk);
  };

  /** As Clerk's components are: styles put in by script, elements named as its appearance names them. */
  const mount = (label) => (node, props) => {
    const look = props.appearance ?? options.appearance ?? {};
    const style = document.createElement("style");
    style.nonce = options.nonce ?? "";
    document.head.append(style);
    style.sheet?.insertRule(".cl-form { padding-top: 1px }");
    node.innerHTML = `<div class="cl-card"><form class="cl-form">
      <p><label for="stand-in-name">User name</label></p><input id="stand-in-name" name="username" autocomplete="username" />
      <p><button class="button button-primary cl-formButtonPrimary">${label}</button></p></form>
      <div class="cl-socialButtonsRoot"><button>Continue with somebody</button></div>
      <div class="cl-footer">Secured by somebody</div><div id="clerk-captcha">Not a robot</div></div>`;
    for (const [name, rules] of Object.entries(look.elements ?? {}))
      for (const element of node.querySelectorAll(`.cl-${name}`)) Object.assign(element.style, rules);
    node.querySelector("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const username = new FormData(event.target).get("username");
      const { client, session } = await ask("/sign-in", { username });
      localStorage.setItem(kept, client);
      become(session);
      location.assign(props.forceRedirectUrl);
    });
  };
  const unmount = (node) => node.replaceChildren();

  const clerk = {
    loaded: false,
    status: "loading",
    session: undefined,
    user: undefined,
    client: { signedInSessions: [] },
    async load(given) {
      options = given;
      if (!given.ui?.ClerkUI) throw new Error("Clerk was loaded without its pages.");
      become((await ask("/session")).session);
      clerk.loaded = true;
      clerk.status = "ready";
      for (const listener of statusListeners) listener(clerk.status);
    },
    on(_event, listener, { notify = false } = {}) {
      statusListeners.add(listener);
      if (notify) listener(clerk.status);
    },
    off: (_event, listener) => statusListeners.delete(listener),
    addListener(listener) {
      listeners.add(listener);
      listener(clerk);
      return () => listeners.delete(listener);
    },
    async signOut(afterwards) {
      if (typeof afterwards !== "function") throw new Error("Clerk would lead the browser away.");
      await ask("/sign-out");
      localStorage.removeItem(kept);
      cached = null;
      become(null);
      await afterwards();
    },
    mountSignIn: mount("Continue"),
    mountSignUp: mount("Create account"),
    unmountSignIn: unmount,
    unmountSignUp: unmount,
  };
  globalThis.Clerk = clerk;
})();
