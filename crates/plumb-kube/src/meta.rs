//! The metadata that every resource has, even if its schema does not describe it.

/// The schema of the metadata of a resource, in `OpenAPI`. Custom resources leave it out of their
/// schemas, because it is the same for all.
pub(crate) const OBJECT_META: &str = "
type: object
properties:
  name: {type: string, maxLength: 253}
  generateName: {type: string}
  namespace: {type: string, maxLength: 63}
  labels: {type: object, additionalProperties: {type: string, maxLength: 63}}
  annotations: {type: object, additionalProperties: {type: string}}
  finalizers: {type: array, items: {type: string}}
  ownerReferences:
    type: array
    items:
      type: object
      required: [apiVersion, kind, name, uid]
      properties:
        apiVersion: {type: string}
        blockOwnerDeletion: {type: boolean}
        controller: {type: boolean}
        kind: {type: string}
        name: {type: string}
        uid: {type: string}
  creationTimestamp: {type: string, format: date-time}
  deletionGracePeriodSeconds: {type: integer}
  deletionTimestamp: {type: string, format: date-time}
  generation: {type: integer}
  managedFields: {type: array, items: {type: object, additionalProperties: true}}
  resourceVersion: {type: string}
  selfLink: {type: string}
  uid: {type: string}
";
