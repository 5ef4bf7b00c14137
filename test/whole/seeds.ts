import type { Person } from "../support/world.ts";
import { createMetadata, createCertificate } from "../saml/certificate.ts";

// Bodies with which writes succeed, and things that they are called on, for the lines of
// test/access/access-table.ts.

/** Ids by path parameter that together identify one object. */
export type ResourceIds = Readonly<Record<string, string>>;

/** Context of a body: the caller, the ids of the address, and the workspace's address. */
export interface SeedContext {
  person: Person;
  ids: ResourceIds;
  workspacePath: string;
}

export function ssoConfiguration() {
  return { protocol: "oidc", issuer: "https://idp.example", client_id: unique("client") };
}

export function domain() {
  return { domain: `${unique("their-domain")}.example` };
}

export function invitation({ workspacePath }: SeedContext) {
  const workspace_id = workspacePath.split("/").at(-1);
  return { email: `${unique("invited")}@home.test`, workspace_roles: [{ workspace_id, role: "viewer" }] };
}

export function brand() {
  return { name: unique("Brand"), domains: [`${unique("brand")}.example`], relationship: "competitor" };
}

export function persona() {
  return { name: unique("Persona"), language: "en", country: "US" };
}

export function textAsset() {
  return { name: unique("Asset"), text: "# Kestrova\n\nAn espresso machine for small kitchens." };
}

export function partnerConnection() {
  return { api_token: unique("partner-token"), partner_workspace_id: "w-1" };
}

export async function contentBrief({ person, ids }: SeedContext) {
  const { body } = await person.get(`/api/v1/projects?client_id=${ids["organization_id"]}&limit=1`);
  return { analysis_id: body.data[0].id, topic: "First machine", title: unique("Content") };
}

export async function bulkDismissal(at: SeedContext) {
  const { result_id } = await newAction(at);
  return { ids: [result_id], reason: "not_relevant" };
}

export async function confirmedAnalysis(at: SeedContext) {
  const { body } = await at.person.post(`${at.workspacePath}/search-analyses/price`, await searchAnalysis(at));
  return { quote_id: body.quote_id, confirmed: true };
}

export async function newAnalysis(at: SeedContext): Promise<ResourceIds> {
  const { body } = await at.person.post(`${at.workspacePath}/search-analyses`, await confirmedAnalysis(at));
  return { analysis_id: body.id };
}

/** A setup of the analysis of the address with another keyword. */
export async function changedSetup(at: SeedContext) {
  const analysis = await at.person.get(`${at.workspacePath}/analyses/${at.ids["analysis_id"]}`);
  return { ...(await searchAnalysis(at)), brand_id: analysis.body.brand_id };
}

export async function confirmedSetup(at: SeedContext) {
  const path = `${at.workspacePath}/analyses/${at.ids["analysis_id"]}/setup/price`;
  const { body } = await at.person.post(path, await changedSetup(at));
  return { quote_id: body.quote_id, confirmed: true };
}

export async function pausedAnalysis(at: SeedContext): Promise<ResourceIds> {
  const made = await newAnalysis(at);
  await at.person.post(`${at.workspacePath}/analyses/${made["analysis_id"]}/pause`);
  return made;
}

/** An analysis without a collect in progress: created without sources, which are added later. */
export async function idleAnalysis(at: SeedContext): Promise<ResourceIds> {
  const { person, workspacePath } = at;
  const setup = await searchAnalysis(at);
  const priced = await person.post(`${workspacePath}/search-analyses/price`, { ...setup, sources: [] });
  const yes = { quote_id: priced.body.quote_id, confirmed: true };
  const { body } = await person.post(`${workspacePath}/search-analyses`, yes);
  const path = `${workspacePath}/analyses/${body.id}/setup`;
  const change = await person.post(`${path}/price`, setup);
  await person.request("PUT", path, { body: { quote_id: change.body.quote_id, confirmed: true } });
  return { analysis_id: body.id };
}

export async function confirmedCollect({ person, workspacePath, ids }: SeedContext) {
  const { body } = await person.post(`${workspacePath}/analyses/${ids["analysis_id"]}/collects/price`);
  return { quote_id: body.quote_id, confirmed: true };
}

export async function confirmedEvaluation(at: SeedContext) {
  return confirmed(at, await assetEvaluation(at));
}

export async function newEvaluation(at: SeedContext): Promise<ResourceIds> {
  const { body } = await at.person.post(`${at.workspacePath}/asset-evaluations`, await confirmedEvaluation(at));
  return { evaluation_id: body.id };
}

export function confirmedRerun(at: SeedContext) {
  return confirmed(at, { evaluation_id: at.ids["evaluation_id"] });
}

/** TXT records of the scene's name server, for domains to verify. */
export const TXT_RECORDS: Record<string, string[][]> = {};

export async function publishedDomain({ person, workspacePath }: SeedContext): Promise<ResourceIds> {
  const [organizationPath] = workspacePath.split("/workspaces/");
  const { body } = await person.post(`${organizationPath}/domains`, domain());
  TXT_RECORDS[body.record_name] = [[body.record_value]];
  return { domain_id: body.id };
}

export async function provenDomain(at: SeedContext): Promise<ResourceIds> {
  const made = await publishedDomain(at);
  const [organizationPath] = at.workspacePath.split("/workspaces/");
  await at.person.post(`${organizationPath}/domains/${made["domain_id"]}/verify`);
  return made;
}

/** A member who never signs in. */
export async function spareMember({ person, workspacePath }: SeedContext): Promise<ResourceIds> {
  const [organizationPath] = workspacePath.split("/workspaces/");
  const { body } = await person.get(`${organizationPath}/members?limit=100`);
  const spares = (body.data as { id: string; email: string }[]).filter(({ email }) => email.startsWith("spare-"));
  const spare = spares[made++ % spares.length];
  return spare ? { user_id: spare.id } : {};
}

export async function memberOfWorkspace(at: SeedContext): Promise<ResourceIds> {
  const spare = await spareMember(at);
  await at.person.request("PUT", `${at.workspacePath}/members/${spare["user_id"]}`, { body: { role: "viewer" } });
  return spare;
}

export async function newInvitation({ person, workspacePath }: SeedContext): Promise<ResourceIds> {
  const [organizationPath] = workspacePath.split("/workspaces/");
  const { body } = await person.post(`${organizationPath}/invitations`, { email: `${unique("invited")}@home.test` });
  return { invitation_id: body.id };
}

export async function anyAnalysis({ person, workspacePath }: SeedContext): Promise<ResourceIds> {
  const { body } = await person.get(`${workspacePath}/analyses?limit=1`);
  return { favourite_id: body.data[0].id };
}

export async function markedAnalysis(at: SeedContext): Promise<ResourceIds> {
  const analysis = await anyAnalysis(at);
  await at.person.request("PUT", `/v1/me/favourites/${analysis["favourite_id"]}`);
  return analysis;
}

export async function newBrand({ person, workspacePath }: SeedContext): Promise<ResourceIds> {
  const { body } = await person.post(`${workspacePath}/brands`, { name: unique("Target") });
  return { brand_id: body.id };
}

export function brandFact() {
  return { attribute: unique("Attribute"), value: { kind: "number", number: 249, unit: "g" } };
}

export async function newBrandFact(at: SeedContext): Promise<ResourceIds> {
  const chain = await newBrand(at);
  const { body } = await at.person.post(`${at.workspacePath}/brands/${chain["brand_id"]}/facts`, brandFact());
  return { ...chain, fact_id: body.id };
}

export async function newApiKey({ person }: SeedContext): Promise<ResourceIds> {
  const { body } = await person.post("/v1/api-keys", { name: unique("Target") });
  return { api_key_id: body.id };
}

export async function newWorkspace({ person, ids }: SeedContext): Promise<ResourceIds> {
  const { body } = await person.post(`/v1/organizations/${ids["organization_id"]}/workspaces`, {
    name: unique("Target"),
  });
  return { workspace_id: body.id };
}

export async function readSamlMetadata() {
  const { certificate } = await createCertificate();
  return { metadata: createMetadata({ entityId: "urn:idp", signInUrl: "https://idp.example/sign-in", certificate }) };
}

let made = 0;

export function unique(what: string): string {
  made++;
  return `${what}-${made}`;
}

export async function assetEvaluation({ person, workspacePath }: SeedContext) {
  const text = "# Kestrova\n\nQuiet, and small enough for every kitchen.";
  const { body } = await person.post(`${workspacePath}/assets`, { name: unique("Asset"), text });
  return {
    name: unique("Evaluation"),
    asset_ids: [body.id as string],
    category: "espresso machines",
    attributes: ["quiet", "small"],
    language: "en",
  };
}

/** A confirmed quote for creating or repeating an evaluation of this setup. */
async function confirmed({ person, workspacePath }: SeedContext, setup: object) {
  const { body } = await person.post(`${workspacePath}/asset-evaluations/price`, setup);
  return { quote_id: body.quote_id, confirmed: true };
}

export async function searchAnalysis(at: SeedContext) {
  return {
    name: unique("Analysis"),
    website: "https://kestrova.example",
    ...(await anyBrand(at)),
    sources: ["ASSISTANT_A"],
    thematics: [{ name: "Home", topics: [{ name: "Machines", keywords: [{ text: unique("best machine") }] }] }],
    runs_per_prompt: 1,
  };
}

export async function brandAnalysis(at: SeedContext) {
  const { brand_id: rival } = await newBrand(at);
  return {
    name: unique("Brand analysis"),
    ...(await anyBrand(at)),
    category: "espresso machines",
    competitor_ids: [rival],
    attributes: ["price"],
    sources: ["ASSISTANT_A"],
    runs_per_prompt: 1,
  };
}

export async function confirmedBrandAnalysis(at: SeedContext) {
  const { body } = await at.person.post(`${at.workspacePath}/brand-analyses/price`, await brandAnalysis(at));
  return { quote_id: body.quote_id, confirmed: true };
}

export async function newBrandAnalysis(at: SeedContext): Promise<ResourceIds> {
  const { body } = await at.person.post(`${at.workspacePath}/brand-analyses`, await confirmedBrandAnalysis(at));
  return { analysis_id: body.id };
}

export function geoAudit() {
  return { name: unique("Audit"), website: "https://www.kestrova.example", max_pages: 2 };
}

export async function confirmedGeoAudit(at: SeedContext) {
  const { body } = await at.person.post(`${at.workspacePath}/geo-audits/price`, geoAudit());
  return { quote_id: body.quote_id, confirmed: true };
}

/** Names of no tracked brand, listed next to a tracked one. */
const UNKNOWN =
  "Zenvora Quillbrew Mokalux Velantra Brixano Tarnova Lumeska Ordiva Pelluno Fasiro Wendoro Cravilo".split(" ");

/** Recorded answers as JSON Lines, in which names are found that no brand has. */
export function answerLines(): string {
  const text = ["Kestrova", ...UNKNOWN].map((name, at) => `${at + 1}. **${name}** - It lasts long.`).join("\n");
  const lines = Array.from({ length: 6 }, (_, at) => ({
    keyword: unique("imported question"),
    source: "ASSISTANT_A",
    text,
    queries: ["machine tests", "machine prices", "machine repairs", "machine brands"].slice(0, 1 + (at % 4)),
  }));
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

export async function openSuggestion({ person, workspacePath }: SeedContext): Promise<ResourceIds> {
  const { body } = await person.get(`${workspacePath}/brand-suggestions?status=open&limit=1`);
  return body.data.length === 0 ? {} : { suggestion_id: body.data[0].id };
}

export async function dismissedSuggestion(at: SeedContext): Promise<ResourceIds> {
  const found = await openSuggestion(at);
  if (found["suggestion_id"] !== undefined) {
    await at.person.post(`${at.workspacePath}/brand-suggestions/${found["suggestion_id"]}/dismiss`);
  }
  return found;
}

/** An undecided action; if there is none, a dismissed one is restored. */
export async function newAction({ person, workspacePath }: SeedContext): Promise<ResourceIds> {
  const path = `${workspacePath}/recommended-actions`;
  const { body } = await person.get(`${path}?workflow_status=new&limit=1`);
  const [found] = body.data;
  if (found) return { result_id: found.id };
  const dismissed = await person.get(`${path}?workflow_status=dismissed&limit=1`);
  const [again] = dismissed.body.data;
  if (!again) return {};
  await person.post(`${path}/${again.id}/reconsider`);
  return { result_id: again.id };
}

export async function dismissedAction(at: SeedContext): Promise<ResourceIds> {
  const found = await newAction(at);
  const path = `${at.workspacePath}/recommended-actions/${found["result_id"]}/dismiss`;
  if (found["result_id"] !== undefined) await at.person.post(path, { reason: "not_relevant" });
  return found;
}

/** An own brand; created if requests changed the last one to another relationship. */
export async function anyBrand({ person, workspacePath }: SeedContext): Promise<{ brand_id: string }> {
  const { body } = await person.get(`${workspacePath}/brands?relationship=mine`);
  const [own] = body.data;
  if (own) return { brand_id: own.id };
  const added = await person.post(`${workspacePath}/brands`, { ...brand(), relationship: "mine" });
  return { brand_id: added.body.id };
}

/** An export, finished or not. */
export async function newExport({ person, workspacePath }: SeedContext): Promise<ResourceIds> {
  const request = { what: "catalog", format: "jsonl" };
  const { body } = await person.request("POST", `${workspacePath}/exports`, {
    body: request,
    headers: { prefer: "respond-async" },
  });
  return { export_id: body.id };
}
