// What one service needs, in one place, and what the files of all services are made of.

export interface Service {
  name: string;
  port: number;
  replicas?: number;
}

export function deployment({ name, port, replicas = 1 }: Service) {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas,
      template: { spec: { containers: [{ name, ports: [{ containerPort: port }] }] } },
    },
  };
}

export function service({ name, port }: Service) {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { ports: [{ port }] },
  };
}
