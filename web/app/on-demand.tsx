import { type ComponentType, lazy, useState } from "react";

/** A page whose script is loaded on demand; `load` preloads it. */
export interface OnDemandPage {
  Page: ComponentType;
  load: () => Promise<void>;
}

/**
 * A page with a separate script. Once loaded it renders synchronously: on the server, which cannot wait, and when
 * hydrating, where a spinner would replace the server's HTML for a moment.
 */
export function onDemand(load: () => Promise<{ default: ComponentType }>): OnDemandPage {
  const Lazy = lazy(load);
  let loaded: ComponentType | undefined;
  return {
    Page: function OnDemand() {
      // Chosen once: a different component in the same place would lose the user's input.
      const [Chosen] = useState<ComponentType>(() => loaded ?? Lazy);
      return <Chosen />;
    },
    load: async () => {
      loaded = (await load()).default;
    },
  };
}
