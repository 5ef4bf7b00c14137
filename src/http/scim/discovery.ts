import { BODY_LIMIT_BYTES } from "../body.ts";
import { GROUP_RESOURCE, USER_RESOURCE, type ResourceKind } from "./attributes.ts";
import { MAX_RESULTS } from "./messages.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0";
/** Common attributes, which are not part of a schema (RFC 7643 section 3.1). */
const COMMON_ATTRIBUTES = new Set(["schemas", "id", "externalId", "meta"]);

/** Capabilities of the SCIM API (RFC 7643 section 5). `base` is its URL. */
export function buildServiceProviderConfig(base: string, documentationUri: string) {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    documentationUri,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: BODY_LIMIT_BYTES },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "OAuth Bearer Token",
        description: "SCIM token of the organization, created by an owner in the console.",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
  };
}

/** Resource types of the SCIM API (RFC 7643 section 6). */
export function listResourceTypes(base: string) {
  return [USER_RESOURCE, GROUP_RESOURCE].map((kind) => ({
    schemas: [`${CORE}:ResourceType`],
    id: kind.name,
    name: kind.name,
    endpoint: kind.path,
    description: kind.description,
    schema: kind.schema,
    schemaExtensions: [],
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${kind.name}` },
  }));
}

/** Schemas of the SCIM API (RFC 7643 section 7). */
export function listSchemas(base: string) {
  return [USER_RESOURCE, GROUP_RESOURCE].map((kind: ResourceKind) => ({
    schemas: [`${CORE}:Schema`],
    id: kind.schema,
    name: kind.name,
    description: kind.description,
    attributes: kind.attributes.filter(({ name }) => !COMMON_ATTRIBUTES.has(name)),
    meta: { resourceType: "Schema", location: `${base}/Schemas/${kind.schema}` },
  }));
}
