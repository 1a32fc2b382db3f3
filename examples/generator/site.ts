import * as param from "@jkcfg/std/param";
import { deployment, service, type Service } from "./platform";
import { atMost, unprivileged } from "./rules";

const services: Service[] = [
  { name: "shop", port: 8080, replicas: param.Number("shop.replicas", 2) },
  { name: "blog", port: param.Number("blog.port", 8081) },
];

export default services.flatMap((it) => [
  { path: `${it.name}/deployment.yaml`, value: deployment(it), validate: atMost(10) },
  { path: `${it.name}/service.yaml`, value: service(it), validate: unprivileged },
]);
