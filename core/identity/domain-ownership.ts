import { randomBytes } from "node:crypto";
import { parse } from "tldts";
import type { FieldError } from "../shared/errors.ts";

// Who controls a domain can say so in its DNS. An organization shows that it does by a record with its token.

/** By a DNS record, or by hand of the operator of the service. */
export const DOMAIN_VERIFIERS = ["dns", "operator"] as const;

/** Reads TXT records. Throws if no name server answers; a name without such records has none. */
export interface TxtRecords {
  /** Each record with its parts joined (RFC 7208 section 3.3 joins them the same way). */
  lookUp(name: string): Promise<string[]>;
}

export interface DomainClaim {
  domain: string;
  token: string;
}

/** The record that proves a claim. It may stand at the domain itself instead of at this name. */
export function ownershipRecord({ domain, token }: DomainClaim): { name: string; value: string } {
  return { name: `_brand-visibility.${domain}`, value: `brand-visibility-verification=${token}` };
}

/** True if the DNS carries the record. Throws what `lookUp` throws. */
export async function provesOwnership(claim: DomainClaim, txtRecords: TxtRecords): Promise<boolean> {
  const { name, value } = ownershipRecord(claim);
  for (const place of [name, claim.domain]) {
    const records = await txtRecords.lookUp(place);
    if (records.some((record) => record.trim() === value)) return true;
  }
  return false;
}

/** What a record has to repeat: 192 random bits. */
export function newOwnershipToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Why a domain cannot be owned; empty if it can. All registrants below a public suffix share it. */
export function faultsOfDomain(domain: string): FieldError[] {
  const { domain: registrable } = parse(domain, { allowPrivateDomains: true });
  if (registrable !== null) return [];
  return [{ path: "domain", message: "is a public suffix, under which any person can register names" }];
}
