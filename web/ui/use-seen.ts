import { type RefObject, useEffect, useRef, useState } from "react";

/** True from the moment on at which the element with the ref was about to be seen. */
export function useSeen<Shown extends Element>(): { ref: RefObject<Shown | null>; seen: boolean } {
  const ref = useRef<Shown>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (ref.current === null) return;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watcher.disconnect();
        setSeen(true);
      },
      { rootMargin: "200px" },
    );
    watcher.observe(ref.current);
    return () => watcher.disconnect();
  }, []);
  return { ref, seen };
}
