// Rules for what is written: each returns `true`, or what is wrong.

export function atMost(limit: number) {
  return ({ spec }: { spec: { replicas: number } }) =>
    spec.replicas <= limit || { msg: `expected at most ${limit} replicas`, path: ["spec", "replicas"] };
}

export function unprivileged({ spec }: { spec: { ports: { port: number }[] } }) {
  return spec.ports.flatMap(({ port }, at) =>
    port < 1024 ? [{ msg: "expected a port of 1024 or more", path: ["spec", "ports", at, "port"] }] : [],
  );
}
