import { z } from "zod";

/** Used exactly as written. */
const EndpointField = z.url({ protocol: /^https?$/ }).refine((url) => {
  const { protocol, hostname, username, password, hash } = new URL(url);
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return (protocol === "https:" || isLoopback) && `${username}${password}${hash}` === "";
}, "must be an https address (http for localhost alone) without user or fragment");

export const PlatformSettings = z
  .strictObject({
    name: z.string().trim().min(1).max(100).optional(),
    client_id: z.string().min(1),
    client_secret: z.string().min(1).optional(),
    client_authentication: z.enum(["post", "basic"]).default("post"),
    issuer: EndpointField.optional(),
    authorization_endpoint: EndpointField.optional(),
    token_endpoint: EndpointField.optional(),
    revocation_endpoint: EndpointField.optional(),
    accounts_endpoint: EndpointField,
    scopes: z.array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, "must be scopes of RFC 6749")).default([]),
    timeout_seconds: z.number().min(0.01).max(60).default(10),
  })
  .refine(
    ({ issuer, authorization_endpoint, token_endpoint }) =>
      (authorization_endpoint === undefined) === (token_endpoint === undefined) &&
      (issuer ?? authorization_endpoint) !== undefined,
    "needs issuer, or authorization_endpoint with token_endpoint",
  );
export type PlatformSettings = z.output<typeof PlatformSettings>;
