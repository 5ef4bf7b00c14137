import { createHmac, timingSafeEqual } from "node:crypto";
import type { Secrets } from "./secrets.ts";

export interface LinkedExport {
  id: string;
  organizationId: string;
  expiresAt: string;
  fileName: string;
}

/** Links that need no sign-in: HMAC-SHA256 over export, organization and expiry. */
export interface ExportLinks {
  urlOf(of: LinkedExport): string;
  /** Compares in constant time. */
  isSignatureValid(of: Omit<LinkedExport, "fileName">, signature: string): boolean;
}

export function openExportLinks(secrets: Pick<Secrets, "derive">, baseUrl: string): ExportLinks {
  const key = secrets.derive("links to exports");
  const sign = ({ id, organizationId, expiresAt }: Omit<LinkedExport, "fileName">) =>
    createHmac("sha256", key)
      .update(JSON.stringify([organizationId, id, Date.parse(expiresAt)]))
      .digest("base64url");
  return {
    urlOf: (of) => `${baseUrl}/files/${of.id}/${of.fileName}?signature=${sign(of)}`,
    isSignatureValid(of, signature) {
      const [shown, right] = [Buffer.from(signature), Buffer.from(sign(of))];
      return shown.length === right.length && timingSafeEqual(shown, right);
    },
  };
}
