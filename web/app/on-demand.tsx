import { type ComponentType, lazy, useState } from "react";

/** A page, or a part of one, whose script is loaded on demand; `load` preloads it. */
export interface OnDemand<Props extends object = object> {
  Page: ComponentType<Props>;
  load: () => Promise<void>;
}

/**
 * A page, or a part of one, with a separate script. Once loaded it renders synchronously: on the server, which cannot
 * wait, and when hydrating, where a spinner would replace the server's HTML for a moment.
 */
export function onDemand<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): OnDemand<Props> {
  const Lazy = lazy(load);
  let loaded: ComponentType<Props> | undefined;
  return {
    Page: function OnDemand(props: Props) {
      // Chosen once: a different component in the same place would lose the user's input.
      const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
      return <Chosen {...props} />;
    },
    load: async () => {
      loaded = (await load()).default;
    },
  };
}
