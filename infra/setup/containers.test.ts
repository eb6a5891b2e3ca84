import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { readConfig } from "../config/config.ts";

// Checks the containers without an engine: reads the files, fills in their variables, and validates the settings each
// of our services would start with.

const root = join(import.meta.dirname, "..", "..");

const text = z.union([z.string(), z.number()]).transform(String);
const service = z.looseObject({
  image: z.string().optional(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), text).default({}),
  user: z.string().optional(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.unknown()).default({}),
  logging: z.looseObject({ options: z.record(z.string(), text) }).optional(),
});
const composeFile = z.looseObject({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() }).nullable()).default({}),
  volumes: z.record(z.string(), z.unknown()).default({}),
});
type Service = z.output<typeof service>;
type Compose = z.output<typeof composeFile>;

const read = (name: string): string => readFileSync(join(root, name), "utf8");

/** Every setting there is: config.test.ts compares the file with them. */
const settingNames = new Set(
  [...read(".env.example").matchAll(/^# ?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name),
);
const parsed = (name: string): Compose => composeFile.parse(parse(read(name), { merge: true }));

const single = parsed("docker-compose.yml");
const override = parsed("docker-compose.cluster.yml");
/** Merges the files like `-f one -f other`, as far as these two need it. */
const cluster: Compose = {
  ...single,
  volumes: { ...single.volumes, ...override.volumes },
  services: Object.fromEntries(
    [...new Set([...Object.keys(single.services), ...Object.keys(override.services)])].map((name) => [
      name,
      merged(single.services[name], override.services[name]),
    ]),
  ),
};

function merged(base: Service | undefined, over: Service | undefined): Service {
  if (!base || !over) return service.parse(base ?? over);
  return {
    ...base,
    environment: { ...base.environment, ...over.environment },
    depends_on: { ...base.depends_on, ...over.depends_on },
  };
}

const secrets: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: "letters1",
  REDIS_PASSWORD: "letters2",
};

/** Fills in `${NAME:?why}` and `${NAME:-default}` as Compose does, with only the secrets in the environment. */
const filled = (value: string): string =>
  value.replaceAll(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name: string, kind: string, rest: string) =>
    kind === "?" ? (secrets[name] ?? "") : rest,
  );

const environmentOf = ({ environment }: Service) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]));

const isOurs = ({ image }: Service): boolean => image === "kith-and-copy";
const oursIn = ({ services }: Compose) => Object.entries(services).filter(([, one]) => isOurs(one));

const stacks: [string, Compose][] = [
  ["docker-compose.yml", single],
  ["docker-compose.cluster.yml on top of it", cluster],
];

/** Runs once, before the nodes of the log start. */
const check = "event-volumes";

describe.each(stacks)("%s", (_name, compose) => {
  it("gives each service a health check, a restart policy, time to stop, and a network", () => {
    for (const [name, one] of Object.entries(compose.services)) {
      if (name === check) continue;
      expect(one.healthcheck?.test.length, name).toBeGreaterThan(1);
      expect(one.restart, name).toBe("unless-stopped");
      expect(one.stop_grace_period, name).toMatch(/^\d+s$/);
      expect(one.networks.length, name).toBeGreaterThan(0);
      expect(one.security_opt, name).toContain("no-new-privileges:true");
      for (const needed of Object.keys(one.depends_on)) expect(compose.services, name).toHaveProperty(needed);
      for (const network of one.networks) expect(compose.networks, name).toHaveProperty(network);
    }
  });

  it("limits the size of every log", () => {
    for (const [name, { logging }] of Object.entries(compose.services))
      expect(logging?.options, name).toEqual({ "max-size": "10m", "max-file": "5" });
  });

  it("keeps data in named volumes, and mounts only our own files, read-only", () => {
    for (const [name, { volumes }] of Object.entries(compose.services))
      for (const volume of volumes) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("."))
          expect([existsSync(join(root, source)), volume.endsWith(":ro")], name).toEqual([true, true]);
        else expect(compose.volumes, name).toHaveProperty(source);
      }
  });

  it("publishes ports only on this machine, and none of a store", () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports.length > 0);
    expect(published.map(([name]) => name).sort()).toEqual(["front", "mail", "sandbox"]);
    for (const [, { ports, networks }] of published) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
      expect(networks).toContain("edge");
    }
    expect(compose.networks.inside?.internal).toBe(true);
    for (const name of ["postgres", "redis", ...Object.keys(compose.services).filter(isNode)])
      expect(compose.services[name]?.networks, name).toEqual(["inside"]);
  });

  it("runs our services as a normal user, on a read-only file system, without capabilities", () => {
    expect(oursIn(compose).map(([name]) => name)).toEqual(["gateway", "projections", "worker", "sandbox"]);
    for (const [name, one] of oursIn(compose)) {
      expect({ user: one.user, read_only: one.read_only, tmpfs: one.tmpfs }, name).toEqual({
        user: "node",
        read_only: true,
        tmpfs: ["/tmp"],
      });
      expect(one.cap_drop, name).toEqual(["ALL"]);
    }
  });

  it.each(oursIn(compose))("starts %s with known and valid settings", (_service, one) => {
    const given = environmentOf(one);
    expect(Object.keys(given).filter((setting) => !settingNames.has(setting))).toEqual([]);
    const config = readConfig(given, "/nowhere");
    expect(config.DATABASE_URL).toMatch(/^postgres:\/\/certificates:letters1@postgres:5432\//);
    expect(config).toMatchObject({ NODE_ENV: "production", SKIP_WEB_BUILD: true, HEALTH_PORT: 9100 });
    expect(config.EVENTSTORE_URL).toContain("kurrentdb:2113");
    expect(config.providers.smtp).toMatchObject({ host: "mail", port: 1025, tls: "none" });
  });

  it.each(oursIn(compose))("starts %s from an existing file", (_service, { command }) => {
    const [node, file = ""] = command ?? [];
    expect(node).toBe("node");
    expect(existsSync(join(root, file)), file).toBe(true);
  });

  it("shares the key folder only between services that need it", () => {
    const holders = Object.entries(compose.services).filter(([, { volumes }]) =>
      volumes.some((volume) => volume.startsWith("keys:")),
    );
    expect(holders.map(([name]) => name)).toEqual(["gateway", "worker", "sandbox"]);
    for (const [, { volumes, environment }] of holders)
      expect(volumes).toEqual([`keys:${environment.KEY_DIR}`]);
  });

  it("lists all nodes of the log, which know one another", () => {
    const nodes = Object.keys(compose.services).filter(isNode);
    for (const [, { environment }] of oursIn(compose))
      for (const node of nodes) expect(environment.EVENTSTORE_URL).toContain(`${node}:2113`);
    for (const node of nodes) {
      const { environment } = service.parse(compose.services[node]);
      expect(environment.KURRENTDB_CLUSTER_SIZE).toBe(String(nodes.length));
      const others = nodes.filter((other) => other !== node).map((other) => `${other}:2113`);
      expect(environment.KURRENTDB_GOSSIP_SEED ?? "").toBe(others.join(","));
    }
  });
});

function isNode(name: string): boolean {
  return name.startsWith("kurrentdb");
}

/** Names and addresses that contain a literal password instead of `${NAME:?why}`. */
function secretsIn(compose: Compose): string[] {
  return Object.entries(compose.services).flatMap(([name, { environment, command = [] }]) => [
    ...Object.entries(environment)
      .filter(([setting]) => /PASSWORD|SECRET|TOKEN|AUTH|PRIVATE|_KEY$/.test(setting))
      .filter(([, value]) => !/^\$\{\w+:\?[^}]+\}$/.test(value))
      .map(([setting]) => `${name}: ${setting}`),
    ...Object.entries(environment)
      .filter(([, value]) => /:\/\/[^/@:$]*:(?!\$\{\w+:\?)[^/@]*@/.test(value))
      .map(([setting]) => `${name}: ${setting}`),
    // Every user of the machine can read arguments.
    ...command
      .filter((word) => /\$\{?\w*(PASSWORD|SECRET)/.test(word.replaceAll("$$", "")))
      .map(() => `${name}: command`),
  ]);
}

describe("The check of the nodes' volumes", () => {
  const script = join(root, "containers", "event-volumes.sh");
  const nodes = ["kurrentdb", "kurrentdb-2", "kurrentdb-3"];

  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder("event-volumes");
    for (const node of nodes) mkdirSync(join(folder, node));
  });

  /** Creates a log like KurrentDB's: checkpoints, chunks and a folder. */
  function giveLog(node: string): void {
    writeFileSync(join(folder, node, "writer.chk"), "12345678");
    writeFileSync(join(folder, node, "chunk-000000.000000"), "all orders");
    mkdirSync(join(folder, node, "index"), { recursive: true });
    writeFileSync(join(folder, node, "index", "indexmap"), "where they are");
  }

  function run(action: string) {
    const env = { ...process.env, NODES_FOLDER: folder };
    const { status, stderr } = spawnSync("sh", [script, action], { env, encoding: "utf8" });
    return { status, stderr };
  }

  it("runs before every node, and has the volumes of all", () => {
    for (const node of nodes) {
      expect(cluster.services[node]?.depends_on[check], node).toEqual({
        condition: "service_completed_successfully",
      });
      const [volume = ""] = (single.services[node] ?? cluster.services[node])?.volumes ?? [];
      expect(cluster.services[check]?.volumes).toContain(`${volume.split(":")[0]}:/nodes/${node}:nocopy`);
    }
  });

  it.each([[[]], [["kurrentdb", "kurrentdb-3"]], [nodes]])(
    "lets nodes start when %j have a log",
    (having) => {
      for (const node of having) giveLog(node);
      expect(run("check").status).toBe(0);
    },
  );

  it.each(nodes)("refuses while %s alone has a log, and copies it to the others", (node) => {
    giveLog(node);
    const refused = run("check");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(`Only the volume of ${node} holds a log`);
    expect(run("copy").status).toBe(0);
    for (const copy of nodes) {
      expect(readdirSync(join(folder, copy), { recursive: true }).sort()).toEqual(
        readdirSync(join(folder, node), { recursive: true }).sort(),
      );
      expect(readFileSync(join(folder, copy, "chunk-000000.000000"), "utf8")).toBe("all orders");
    }
    expect(run("check").status).toBe(0);
  });

  it("ignores an interrupted copy, and makes it again", () => {
    giveLog("kurrentdb");
    giveLog("kurrentdb-2");
    writeFileSync(join(folder, "kurrentdb-2", ".copying"), "");
    writeFileSync(join(folder, "kurrentdb-2", "chunk-000000.000000"), "all or");
    expect(run("check").status).toBe(1);
    expect(run("copy").status).toBe(0);
    expect(readFileSync(join(folder, "kurrentdb-2", "chunk-000000.000000"), "utf8")).toBe("all orders");
    expect(run("check").status).toBe(0);
  });

  it("never overwrites a log", () => {
    giveLog("kurrentdb");
    giveLog("kurrentdb-2");
    expect(run("copy").status).toBe(1);
    expect(readdirSync(join(folder, "kurrentdb-3"))).toEqual([]);
  });
});

describe("The container files", () => {
  it("check a gateway's readiness patiently, and never delay a stop", () => {
    const front = read("containers/front.cfg");
    expect(front).toMatch(/^ {2}option httpchk GET \/readyz\/traffic$/m);
    expect(front).toMatch(/^ {2}timeout check 3s$/m);
    expect(front).toMatch(/^ {2}hard-stop-after 10s$/m);
    expect(front).toMatch(/^ {2}default-server check .*init-state down$/m);
  });

  it("limit connections per address, except for the trusted proxy", () => {
    const front = read("containers/front.cfg");
    expect(front).toMatch(/^ {2}stick-table type ipv6 .*store conn_cur$/m);
    expect(front).toMatch(/^ {2}tcp-request connection track-sc0 src,ipmask\(32,64\) unless trusted$/m);
    expect(front).toMatch(/^ {2}tcp-request connection reject if !trusted \{ sc0_conn_cur gt 100 \}$/m);
    expect(front).toMatch(/^ {2}timeout http-request 10s$/m);
    expect(front).toMatch(/^ {2}option http-buffer-request$/m);
  });

  it("fix the address of a proxy on this machine", () => {
    const { networks } = z
      .object({
        networks: z.object({
          edge: z.object({ ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }) }),
        }),
      })
      .parse(parse(read("docker-compose.yml"), { merge: true }));
    const [{ subnet } = { subnet: "" }] = networks.edge.ipam.config;
    expect(filled(subnet)).toBe("172.30.91.0/24");
    expect(read("docs/operations.md")).toContain("TRUSTED_PROXY=172.30.91.1");
  });

  it("include their packages: a command installs nothing on a read-only file system", () => {
    expect(read("Dockerfile")).toMatch(/^ENV SKIP_INSTALL=1 /m);
    const image = temporaryFolder("image");
    mkdirSync(join(image, "infra", "setup"), { recursive: true });
    cpSync(join(root, "infra", "setup", "run.mjs"), join(image, "infra", "setup", "run.mjs"));
    writeFileSync(join(image, "command.mjs"), "process.stdout.write('carried out');");
    const env = { ...process.env, SKIP_INSTALL: "1" };
    const { stdout } = spawnSync(
      process.execPath,
      [join(image, "infra", "setup", "run.mjs"), "command.mjs"],
      {
        env,
        encoding: "utf8",
      },
    );
    expect(stdout).toBe("carried out");
  });

  it("contain no secret, in files or command lines", () => {
    expect(secretsIn(single)).toEqual([]);
    expect(secretsIn(cluster)).toEqual([]);
  });

  it("would be caught with one (control)", () => {
    const one = (more: object) => secretsIn({ ...single, services: { a: service.parse(more) } });
    expect(one({ environment: { POSTGRES_PASSWORD: "hunter2" } })).toEqual(["a: POSTGRES_PASSWORD"]);
    expect(one({ environment: { REDIS_PASSWORD: `\${REDIS_PASSWORD:-secret}` } })).toEqual([
      "a: REDIS_PASSWORD",
    ]);
    expect(one({ environment: { REDIS_URL: "redis://default:hunter2@redis:6379" } })).toEqual([
      "a: REDIS_URL",
    ]);
    expect(one({ command: ["redis-server", "--requirepass", `\${REDIS_PASSWORD:?}`] })).toEqual([
      "a: command",
    ]);
  });

  it("would be caught with an unknown or invalid setting (control)", () => {
    expect(settingNames.has("DATABASE_ADDRESS")).toBe(false);
    const { gateway } = single.services;
    const given = { ...environmentOf(service.parse(gateway)), PURGE_AFTER_SECONDS: "900" };
    expect(() => readConfig(given, "/nowhere")).toThrow("PURGE_AFTER_SECONDS");
  });

  it("build one image in stages: the last one has no build tools and runs as a normal user", () => {
    const [build = "", last = ""] = read("Dockerfile")
      .split(/^FROM /m)
      .filter((stage) => !stage.startsWith("#") && stage.trim() !== "");
    expect(build).toContain("npm prune --omit=dev --omit=optional");
    expect(last).toMatch(/^COPY --from=build --chown=root:root \/app \/app$/m);
    expect(last).toMatch(/^USER node$/m);
    expect(last.indexOf("USER node")).toBeGreaterThan(last.lastIndexOf("RUN "));
    for (const stage of [build, last]) expect(stage).toMatch(/^node:24-/);
    expect(read(".dockerignore").split("\n")).toEqual(
      expect.arrayContaining([".git", ".data", ".keys", ".env", "**/node_modules"]),
    );
  });
});
