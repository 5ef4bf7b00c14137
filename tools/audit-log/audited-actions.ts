import { AUDITED_EVENTS, READING_EVENTS, type AuditedEventName } from "../../core/identity/audited-events.ts";
import { listTemplateFields } from "../../db/audit-log/entry-text.ts";
import { isReadEndpoint, type AnyEndpoint } from "../endpoint.ts";
import { beginPlatformConsent } from "../platforms/begin-platform-consent.ts";
import { storePlatformConnection } from "../platforms/store-platform-connection.ts";
import { approveQuote } from "../quotes/approve-quote.ts";

export interface AuditedAction {
  name: string;
  group: AnyEndpoint["group"] | null;
  summary: string;
  isRead: boolean;
}

function listAuditedEndpoints(endpoints: readonly AnyEndpoint[]): readonly AnyEndpoint[] {
  return [...endpoints, approveQuote, beginPlatformConsent, storePlatformConnection];
}

/** Events first, then endpoints in reference order. */
export function listAuditedActions(endpoints: readonly AnyEndpoint[]): AuditedAction[] {
  const events = Object.entries(AUDITED_EVENTS).map(([name, summary]) => ({
    name,
    group: null,
    summary,
    isRead: READING_EVENTS.includes(name),
  }));
  const calls = listAuditedEndpoints(endpoints).map((one) => ({
    name: one.name,
    group: one.group,
    summary: one.summary,
    isRead: isReadEndpoint(one),
  }));
  return [...events, ...calls];
}

export function listReadActionNames(endpoints: readonly AnyEndpoint[]): string[] {
  return listAuditedActions(endpoints).flatMap(({ name, isRead }) => (isRead ? [name] : []));
}

function isEvent(name: string): name is AuditedEventName {
  return Object.hasOwn(AUDITED_EVENTS, name);
}

function camelCaseToWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** For failed calls and entries of earlier versions. */
export function renderActionText(
  { endpoint, outcome }: { endpoint: string; outcome: string },
  endpoints: readonly AnyEndpoint[],
): string {
  const of = listAuditedEndpoints(endpoints).find(({ name }) => name === endpoint);
  if (of === undefined) return isEvent(endpoint) ? AUDITED_EVENTS[endpoint] : camelCaseToWords(endpoint);
  const isWhole = of.logged !== undefined && listTemplateFields(of.logged).length === 0;
  return outcome === "ok" && isWhole ? (of.logged ?? of.summary) : of.summary;
}
