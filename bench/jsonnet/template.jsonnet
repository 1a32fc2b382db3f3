// The workload `template` in Jsonnet: a Deployment and a Service for each service of values.json.
local values = import 'values.json';

local labels(svc) = {
  'app.kubernetes.io/name': svc.name,
  'app.kubernetes.io/part-of': 'shop',
  tier: 'backend',
};

local deployment(svc) = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: svc.name,
    namespace: svc.namespace,
    labels: labels(svc),
  },
  spec: {
    replicas: svc.replicas,
    selector: { matchLabels: labels(svc) },
    template: {
      metadata: { labels: labels(svc) },
      spec: {
        containers: [{
          name: 'app',
          image: '%s/%s:%s' % [values.registry, svc.image, svc.tag],
          args: ['--listen=:' + svc.port, '--verbose'],
          ports: [{ name: 'http', containerPort: svc.port, protocol: 'TCP' }],
          env: [{ name: e.name, value: e.value } for e in svc.env],
          resources: { requests: { cpu: '100m', memory: '128Mi' } },
        }],
      },
    },
  },
};

local service(svc) = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: svc.name,
    namespace: svc.namespace,
    labels: labels(svc),
  },
  spec: {
    [if svc.public then 'type']: 'LoadBalancer',
    selector: labels(svc),
    ports: [{ name: 'http', port: 80, targetPort: svc.port }],
  },
};

std.flattenArrays([[deployment(svc), service(svc)] for svc in values.services])
