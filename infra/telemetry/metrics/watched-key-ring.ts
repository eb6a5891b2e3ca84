import type { KeyRing } from "../../key-ring/key-ring.ts";
import type { PlatformFamilies } from "./platform-families.ts";

/** Counts and times key operations. Reading an erased key counts as failed. */
export function watchKeyRing(
  keyRing: KeyRing,
  { keyRingSeconds }: Pick<PlatformFamilies, "keyRingSeconds">,
): KeyRing {
  const timed = async <T>(
    operation: "take" | "read" | "zero" | "probe",
    work: () => Promise<T>,
  ): Promise<T> => {
    const startedAt = performance.now();
    const ended = (outcome: "done" | "failed") =>
      keyRingSeconds.observe({ operation, outcome }, (performance.now() - startedAt) / 1000);
    try {
      const result = await work();
      ended("done");
      return result;
    } catch (error) {
      ended("failed");
      throw error;
    }
  };
  return {
    take: () => timed("take", () => keyRing.take()),
    read: (slot) => timed("read", () => keyRing.read(slot)),
    zero: (slots) => timed("zero", () => keyRing.zero(slots)),
    probe: (slot) => timed("probe", () => keyRing.probe(slot)),
    markInUse: (slots) => keyRing.markInUse(slots),
    settle: (slots) => keyRing.settle(slots),
    unsettled: (before, since) => keyRing.unsettled(before, since),
    compact: () => keyRing.compact(),
    close: () => keyRing.close(),
  };
}
