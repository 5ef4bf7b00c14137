import { z } from "zod";
import { parseProviderMetadata } from "../../auth/sso/saml-provider-metadata.ts";
import { invalidInput } from "../../core/shared/errors.ts";
import { organizationPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";

export const readSamlMetadata = endpoint({
  name: "readSamlMetadata",
  method: "POST",
  path: "/v1/organizations/:organization_id/sso/saml-metadata",
  group: "SSO",
  summary: "Read an identity provider's SAML metadata",
  logged: "Read SAML metadata",
  description: "Extracts the values for single sign-on from the provider's metadata file. Nothing is stored.",
  access: { organization: "owner" },
  notATool: "account administration",
  isSafe: true,
  input: z.strictObject({
    ...organizationPath,
    metadata: z.string().min(1).max(500_000).describe("Content of the metadata file: XML of one identity provider."),
  }),
  output: z
    .object({
      issuer: z.string().describe("Entity ID of the provider."),
      sign_in_url: z.string().describe("Single sign-on URL (HTTP-Redirect)."),
      certificates: z.array(z.string()).describe("Signing certificates (PEM)."),
    })
    .meta({ id: "SamlMetadata" }),
  async handle({ metadata }) {
    const found = parseProviderMetadata(metadata);
    if (!found) {
      const message = "must be of one identity provider, with a certificate and an address for requests by redirect";
      throw invalidInput([{ path: "metadata", message }]);
    }
    return { issuer: found.issuer, sign_in_url: found.signInUrl, certificates: found.certificates };
  },
});
