import { type ComponentType, lazy, useState } from "react";

/** A page whose script is loaded when it is needed; `load` may be called before, so that it is there at once. */
export interface OnDemandPage {
  Page: ComponentType;
  load: () => Promise<void>;
}

/**
 * A page with a script of its own. Once loaded it renders without waiting: on the server, where nothing can wait, and in a
 * browser that takes over what the server rendered, which a moment's spinner would replace.
 */
export function onDemand(load: () => Promise<{ default: ComponentType }>): OnDemandPage {
  const Lazy = lazy(load);
  let loaded: ComponentType | undefined;
  return {
    Page: function OnDemand() {
      // Chosen once: another component in the same place would lose what was typed into the first.
      const [Chosen] = useState<ComponentType>(() => loaded ?? Lazy);
      return <Chosen />;
    },
    load: async () => {
      loaded = (await load()).default;
    },
  };
}
