import { relative } from "node:path";
import type { SerializedError, UserConsoleLog } from "vitest";
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from "vitest/node";
import { root } from "../../infra/setup/steps.ts";
import { keepDurations, lastDurations } from "./slow-files.ts";
import { defaultMs, inWords, timeLeftMs } from "./time-left.ts";

// What Vitest prints while it runs: a line every few seconds, which a log without a terminal shows as well, and each
// failure at once.

const everyMs = 10_000;
const nameOf = (module: { readonly moduleId: string }) => relative(root, module.moduleId);

type Told = { readonly message: string; readonly stack?: string; readonly diff?: string };

/** What went wrong, with the difference, and where in the project's own files. */
function told({ message, stack = "", diff }: Told): string {
  const places = stack.split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("node_modules"));
  return [message, ...(diff ? [diff] : []), ...places].join("\n");
}

export default class Progress implements Reporter {
  #known = lastDurations();
  #took: Record<string, number> = {};
  #files: string[] = [];
  #running = new Set<string>();
  #failed = 0;
  #begunMs = 0;
  #workers = 1;
  #isWhole = true;
  #saidMs = 0;
  #clock: NodeJS.Timeout | undefined;

  onInit(vitest: Vitest): void {
    this.#workers = Number(vitest.config.maxWorkers) || 1;
    this.#isWhole = vitest.config.testNamePattern === undefined;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.map(nameOf);
    this.#begunMs = performance.now();
    this.#say();
    this.#clock = setInterval(() => {
      if (performance.now() - this.#saidMs >= everyMs) this.#say();
    }, 1_000).unref();
  }

  onUserConsoleLog({ content, type }: UserConsoleLog): void {
    process[type].write(content);
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.add(nameOf(module));
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === "failed") this.#tell(`${nameOf(test.module)} > ${test.fullName}`, errors);
  }

  onTestModuleEnd(module: TestModule): void {
    const name = nameOf(module);
    this.#running.delete(name);
    const { collectDuration, duration } = module.diagnostic();
    this.#took[name] = Math.round(collectDuration + duration);
    const errors = module.errors();
    if (errors.length > 0) this.#tell(name, errors);
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    clearInterval(this.#clock);
    if (unhandled.length > 0) this.#tell("outside every test", unhandled);
    this.#say();
    // Files of which some tests were left out say nothing about the next run.
    if (!this.#isWhole) return;
    keepDurations({ ...this.#known, ...this.#took });
  }

  #tell(where: string, errors: readonly Told[]): void {
    this.#failed += 1;
    console.log(`FAILED ${where}\n${errors.map(told).join("\n")}\n`);
  }

  #say(): void {
    this.#saidMs = performance.now();
    const done = Object.keys(this.#took).length;
    const elapsedMs = performance.now() - this.#begunMs;
    const weigh = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + (this.#known[name] ?? defaultMs(name)), 0);
    const left = timeLeftMs({
      elapsedMs,
      workers: this.#workers,
      doneMs: weigh(this.#files.filter((name) => name in this.#took)),
      allMs: weigh(this.#files),
    });
    const parts = [
      `${done} of ${this.#files.length} files`,
      `${this.#failed} failed`,
      inWords(elapsedMs),
      ...(done < this.#files.length ? [`about ${inWords(left)} left`] : []),
    ];
    const running = this.#running.size > 0 ? `; running ${[...this.#running].join(", ")}` : "";
    console.log(`${parts.join(", ")}${running}`);
  }
}
