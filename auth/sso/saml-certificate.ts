import { X509Certificate } from "node:crypto";

const LEAST_BITS = 2048;

/**
 * A provider's certificate as PEM, from PEM or from the bare base64 of its metadata; or what is wrong with it. An expired
 * certificate is accepted: what counts is that an owner configured it.
 */
export function readCertificate(text: string): { pem: string } | { fault: string } {
  // An empty line, which a copied text easily gets, makes the parser refuse the whole.
  const lines = text.split("\n").map((line) => line.trim());
  const bare = lines.filter((line) => line !== "").join("\n");
  const pem = bare.startsWith("-----") ? bare : `-----BEGIN CERTIFICATE-----\n${bare}\n-----END CERTIFICATE-----`;
  if (pem.split("-----BEGIN ").length !== 2) return { fault: "must be one certificate each" };
  try {
    const certificate = new X509Certificate(pem);
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    if (type !== "rsa" || (details?.modulusLength ?? 0) < LEAST_BITS) {
      return { fault: `must be of an RSA key of ${LEAST_BITS} bits or more` };
    }
    return { pem: certificate.toString() };
  } catch {
    return { fault: "must be a certificate in PEM, from BEGIN to END" };
  }
}
