import { expect, it } from "vitest";
import { hasRoom } from "./run-folder.ts";

const mounted = (options: string) =>
  ["/dev/sda1 / ext4 rw,relatime 0 0", `tmpfs /dev/shm tmpfs ${options} 0 0`, ""].join("\n");
const roomy = { mounts: mounted("rw,nosuid,nodev"), roomBytes: 2 ** 33, freeBytes: 2 ** 34 };

it("keeps a run's files in memory where there is room", () => {
  expect(hasRoom(roomy)).toBe(true);
});

it.each([
  ["programs may not run there", { ...roomy, mounts: mounted("rw,nosuid,nodev,noexec") }],
  ["a container gives it 64 MB", { ...roomy, roomBytes: 2 ** 26 }],
  ["memory is short", { ...roomy, freeBytes: 2 ** 32 }],
  ["there is none", { ...roomy, mounts: "/dev/sda1 / ext4 rw,relatime 0 0\n" }],
])("keeps them on the disk where %s", (_, memory) => {
  expect(hasRoom(memory)).toBe(false);
});
