import { randomBytes } from "node:crypto";
import { parse } from "tldts";
import type { FieldError } from "../shared/errors.ts";

// An organization proves control of a domain by a DNS record with its token.

/** Verifiers of a domain: its DNS record, or manually the service's operator. */
export const DOMAIN_VERIFIERS = ["dns", "operator"] as const;

/** TXT resolver. Throws if no name server answers; a name without records returns none. */
export interface TxtRecords {
  /** Records with their parts joined, as in RFC 7208 section 3.3. */
  lookUp(name: string): Promise<string[]>;
}

export interface DomainClaim {
  domain: string;
  token: string;
}

/** Record that proves a claim; it may also be at the domain itself. */
export function buildOwnershipRecord({ domain, token }: DomainClaim): { name: string; value: string } {
  return { name: `_brand-visibility.${domain}`, value: `brand-visibility-verification=${token}` };
}

/** True if the DNS has the record. Throws errors of `lookUp`. */
export async function hasOwnershipRecord(claim: DomainClaim, txtRecords: TxtRecords): Promise<boolean> {
  const { name, value } = buildOwnershipRecord(claim);
  for (const place of [name, claim.domain]) {
    const records = await txtRecords.lookUp(place);
    if (records.some((record) => record.trim() === value)) return true;
  }
  return false;
}

/** Random token of 192 bits for a DNS record. */
export function newOwnershipToken(): string {
  return randomBytes(24).toString("base64url");
}

/** A public suffix cannot be claimed: all registrants below it share it. */
export function findDomainFaults(domain: string): FieldError[] {
  const { domain: registrable } = parse(domain, { allowPrivateDomains: true });
  if (registrable !== null) return [];
  return [{ path: "domain", message: "is a public suffix, under which any person can register names" }];
}
