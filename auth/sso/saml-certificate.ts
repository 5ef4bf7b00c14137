import { X509Certificate } from "node:crypto";

const MIN_KEY_BITS = 2048;

/** Accepts PEM or bare base64, and expired certificates: an owner configured the key. */
export function parseCertificate(text: string): { pem: string } | { fault: string } {
  // The parser rejects PEM with an empty line, which copying easily adds.
  const lines = text.split("\n").map((line) => line.trim());
  const bare = lines.filter((line) => line !== "").join("\n");
  const pem = bare.startsWith("-----") ? bare : `-----BEGIN CERTIFICATE-----\n${bare}\n-----END CERTIFICATE-----`;
  if (pem.split("-----BEGIN ").length !== 2) return { fault: "must be one certificate each" };
  try {
    const certificate = new X509Certificate(pem);
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    if (type !== "rsa" || (details?.modulusLength ?? 0) < MIN_KEY_BITS) {
      return { fault: `must be of an RSA key of ${MIN_KEY_BITS} bits or more` };
    }
    return { pem: certificate.toString() };
  } catch {
    return { fault: "must be a certificate in PEM, from BEGIN to END" };
  }
}
