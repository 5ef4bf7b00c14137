import type { Partner } from "../../../core/partner.ts";
import type { Environment } from "../../config.ts";
import { httpPartner } from "./http-partner.ts";

/** The partner that the operator configured, if any. `signal` aborts when the process stops. */
export function openPartner(config: Environment, signal: AbortSignal): Partner | undefined {
  const { PARTNER_BASE_URL: baseUrl, PARTNER_ATTEMPTS: attempts } = config;
  if (baseUrl === undefined) return undefined;
  return httpPartner({ baseUrl, attempts, timeoutMs: config.PARTNER_TIMEOUT_SECONDS * 1000, signal });
}
