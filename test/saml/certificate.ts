import { X509Certificate } from "node:crypto";
import { generate } from "selfsigned";

/** A new key with a self-signed certificate, in PEM. */
export async function createCertificate(keySize: 1024 | 2048 = 2048): Promise<{ key: string; certificate: string }> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "provider" }], { keySize });
  return { key, certificate: new X509Certificate(cert).toString() };
}

/** Metadata of an identity provider that signs with this certificate. */
export function createMetadata(provider: { entityId: string; signInUrl: string; certificate: string }): string {
  const base64 = provider.certificate.replaceAll(/-----[^-]+-----|\s/g, "");
  return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${provider.entityId}">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${base64}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${provider.signInUrl}"/>
  </IDPSSODescriptor>
</EntityDescriptor>`;
}
