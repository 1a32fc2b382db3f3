//! What every resource has, where a schema does not say it: its metadata.

/// The metadata of a resource, in the words of `OpenAPI`. Custom resources leave it out of their
/// schemas, for all have the same.
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
