import type { Person } from "../world.ts";
import { metadataOf, newCertificate } from "../saml/certificate.ts";
import type { Chain } from "./scene.ts";

/** Where an example is for: who calls, the ids of the address, and the address of the workspace. */
export interface Place {
  person: Person;
  ids: Chain;
  workspacePath: string;
}

type Example = Record<string, unknown> | FormData | string | undefined;

/**
 * A body with which each write succeeds, however often it is asked for one. Tests of the whole table make one of
 * everything with these; an endpoint that is missing here fails them with a message that says so.
 */
export const EXAMPLES: Record<string, (at: Place) => Promise<Example> | Example> = {
  createApiKey: () => ({ name: unique("Key") }),
  addOrganizationDomain: () => ({ domain: `${unique("domain")}.example` }),
  updateScimGroup: () => ({ organization_role: "viewer" }),
  createScimToken: () => ({ name: unique("Provisioning") }),
  putSsoConfiguration: () => ({ protocol: "oidc", issuer: "https://idp.example", client_id: unique("client") }),
  createWorkspace: () => ({ name: unique("Workspace") }),
  updateMe: () => ({ name: unique("Name") }),
  setMember: () => ({ role: "viewer" }),
  setWorkspaceMember: () => ({ role: "viewer" }),
  createInvitation: ({ workspacePath }) => ({
    email: `${unique("invited")}@home.test`,
    workspace_roles: [{ workspace_id: workspacePath.split("/").at(-1), role: "viewer" }],
  }),
  createBrand: () => ({ name: unique("Brand"), domains: [`${unique("brand")}.example`], relationship: "competitor" }),
  createPersona: () => ({ name: unique("Persona"), language: "en", country: "US" }),
  createTag: () => ({ name: unique("Tag"), color: "#00AAFF" }),
  createOrganizationTag: () => ({ name: unique("Organization tag") }),
  updatePlatformIntegration: () => ({ status: "active" }),
  updatePlatformAccount: () => ({ status: "active" }),
  connectPartner: () => ({ api_token: unique("partner-token"), partner_workspace_id: "w-1" }),
  sendRecommendedActionBriefToPartner: () => ({ due_date: "2036-01-31T12:00:00.000Z" }),
  async createContentBrief({ person, ids }) {
    const { body } = await person.get(`/api/v1/projects?client_id=${ids["organization_id"]}&limit=1`);
    return { analysis_id: body.data[0].id, topic: "First machine", title: unique("Content") };
  },
  priceAssetEvaluation: assetEvaluation,
  createAssetEvaluation: async (at) => confirmed(at, await assetEvaluation(at)),
  rerunAssetEvaluation: (at) => confirmed(at, { evaluation_id: at.ids["evaluation_id"] }),
  updateAssetEvaluation: () => ({ name: unique("Evaluation") }),
  mergeBrandSuggestion: anyBrand,
  updateRecommendedAction: () => ({ workflow_status: "confirmed" }),
  dismissRecommendedAction: () => ({ reason: "not_relevant" }),
  async bulkDismissRecommendedActions(at) {
    const { result_id } = await newAction(at);
    return { ids: [result_id], reason: "not_relevant" };
  },
  replaceAnalysisTags: () => ({ tag_ids: [] }),
  replaceAssetTags: () => ({ tag_ids: [] }),
  priceSearchAnalysis: searchAnalysis,
  async createSearchAnalysis(at) {
    const { body } = await at.person.post(`${at.workspacePath}/search-analyses/price`, await searchAnalysis(at));
    return { quote_id: body.quote_id, confirmed: true };
  },
  readSamlMetadata,
  createAsset: () => ({ name: unique("Asset"), text: "# Kestrova\n\nAn espresso machine for small kitchens." }),
  importAnswers: () => answerLines(),
};

/** What an endpoint that ends something is called on, where the scene must go on with what it has: made for each call. */
export const TARGETS: Readonly<Record<string, (at: Place) => Promise<Chain>>> = {
  verifyOrganizationDomain: publishedDomain,
  setMember: spareMember,
  removeMember: spareMember,
  setWorkspaceMember: spareMember,
  removeWorkspaceMember: memberOfWorkspace,
  revokeInvitation: newInvitation,
  addFavourite: anyAnalysis,
  removeFavourite: markedAnalysis,
  archiveWorkspace: newWorkspace,
  restoreWorkspace: newWorkspace,
  deleteApiKey: newApiKey,
  rotateApiKey: newApiKey,
  deleteBrand: newBrand,
  acceptBrandSuggestion: openSuggestion,
  mergeBrandSuggestion: openSuggestion,
  dismissBrandSuggestion: openSuggestion,
  undoBrandSuggestion: dismissedSuggestion,
  updateRecommendedAction: newAction,
  dismissRecommendedAction: newAction,
  reconsiderRecommendedAction: dismissedAction,
};

/** What the scene's name server knows: the records of domains that were made to be verified. */
export const TXT_RECORDS: Record<string, string[][]> = {};

async function publishedDomain({ person, workspacePath }: Place): Promise<Chain> {
  const [organizationPath] = workspacePath.split("/workspaces/");
  const { body } = await person.post(`${organizationPath}/domains`, { domain: `${unique("domain")}.example` });
  TXT_RECORDS[body.record_name] = [[body.record_value]];
  return { domain_id: body.id };
}

/** One of the members that nobody signs in as. */
async function spareMember({ person, workspacePath }: Place): Promise<Chain> {
  const [organizationPath] = workspacePath.split("/workspaces/");
  const { body } = await person.get(`${organizationPath}/members?limit=100`);
  const spares = (body.data as { id: string; email: string }[]).filter(({ email }) => email.startsWith("spare-"));
  const spare = spares[made++ % spares.length];
  return spare ? { user_id: spare.id } : {};
}

async function memberOfWorkspace(at: Place): Promise<Chain> {
  const spare = await spareMember(at);
  await at.person.request("PUT", `${at.workspacePath}/members/${spare["user_id"]}`, { body: { role: "viewer" } });
  return spare;
}

async function newInvitation({ person, workspacePath }: Place): Promise<Chain> {
  const [organizationPath] = workspacePath.split("/workspaces/");
  const { body } = await person.post(`${organizationPath}/invitations`, { email: `${unique("invited")}@home.test` });
  return { invitation_id: body.id };
}

async function anyAnalysis({ person, workspacePath }: Place): Promise<Chain> {
  const { body } = await person.get(`${workspacePath}/analyses?limit=1`);
  return { favourite_id: body.data[0].id };
}

async function markedAnalysis(at: Place): Promise<Chain> {
  const analysis = await anyAnalysis(at);
  await at.person.request("PUT", `/v1/me/favourites/${analysis["favourite_id"]}`);
  return analysis;
}

async function newBrand({ person, workspacePath }: Place): Promise<Chain> {
  const { body } = await person.post(`${workspacePath}/brands`, { name: unique("Target") });
  return { brand_id: body.id };
}

async function newApiKey({ person }: Place): Promise<Chain> {
  const { body } = await person.post("/v1/api-keys", { name: unique("Target") });
  return { api_key_id: body.id };
}

async function newWorkspace({ person, ids }: Place): Promise<Chain> {
  const { body } = await person.post(`/v1/organizations/${ids["organization_id"]}/workspaces`, {
    name: unique("Target"),
  });
  return { workspace_id: body.id };
}

/**
 * Which POST adds a row to a list, for lists that have no POST at their own address. Null where nothing that a person
 * does adds one.
 */
export const ADDED_BY: Readonly<Record<string, string | null>> = {
  listOrganizations: null,
  listSessions: null,
  listAssistants: null,
  listMembers: null,
  listWorkspaceMembers: null,
  listFavourites: null,
  listAuditLog: "createTag",
  listOrganizationWorkspaces: "createWorkspace",
  listWorkspaceUsage: "createWorkspace",
  listPlatformIntegrations: null,
  listPlatformAccounts: null,
  listAssetEvaluationScores: null,
  listBrandSuggestions: null,
  listRecommendedActions: null,
  listCreditLedger: "createSearchAnalysis",
  listWorkspaces: "createWorkspace",
  listAnalyses: "createSearchAnalysis",
  listCollects: "importAnswers",
  listKeywords: "importAnswers",
  listAnswers: "importAnswers",
  listProjects: "createSearchAnalysis",
  listProjectCollects: "importAnswers",
  listCitations: null,
  // Groups come from the identity provider.
  listScimGroups: null,
};

async function readSamlMetadata() {
  const { certificate } = await newCertificate();
  return { metadata: metadataOf({ entityId: "urn:idp", signInUrl: "https://idp.example/sign-in", certificate }) };
}

let made = 0;

function unique(what: string): string {
  made++;
  return `${what}-${made}`;
}

async function assetEvaluation({ person, workspacePath }: Place) {
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

/** What creates or repeats an evaluation of this setup, priced a moment ago. */
async function confirmed({ person, workspacePath }: Place, setup: object) {
  const { body } = await person.post(`${workspacePath}/asset-evaluations/price`, setup);
  return { quote_id: body.quote_id, confirmed: true };
}

async function searchAnalysis({ person, workspacePath }: Place) {
  const { body } = await person.get(`${workspacePath}/brands?relationship=mine`);
  return {
    name: unique("Analysis"),
    website: "https://kestrova.example",
    brand_id: body.data[0].id as string,
    sources: ["ASSISTANT_A"],
    thematics: [{ name: "Home", topics: [{ name: "Machines", keywords: [{ text: unique("best machine") }] }] }],
    runs_per_prompt: 1,
  };
}

/** Names that no brand has, listed beside one that has. */
const UNKNOWN =
  "Zenvora Quillbrew Mokalux Velantra Brixano Tarnova Lumeska Ordiva Pelluno Fasiro Wendoro Cravilo".split(" ");

/** Recorded answers as JSON Lines, in which names are found that no brand has. */
function answerLines(): string {
  const text = ["Kestrova", ...UNKNOWN].map((name, at) => `${at + 1}. **${name}** - It lasts long.`).join("\n");
  const lines = Array.from({ length: 4 }, () => ({
    keyword: unique("imported question"),
    source: "ASSISTANT_A",
    text,
  }));
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

async function openSuggestion({ person, workspacePath }: Place): Promise<Chain> {
  const { body } = await person.get(`${workspacePath}/brand-suggestions?status=open&limit=1`);
  return body.data.length === 0 ? {} : { suggestion_id: body.data[0].id };
}

async function dismissedSuggestion(at: Place): Promise<Chain> {
  const found = await openSuggestion(at);
  if (found["suggestion_id"] !== undefined) {
    await at.person.post(`${at.workspacePath}/brand-suggestions/${found["suggestion_id"]}/dismiss`);
  }
  return found;
}

/** An action that nobody decided on; one that was dismissed is put back where there is no other. */
async function newAction({ person, workspacePath }: Place): Promise<Chain> {
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

async function dismissedAction(at: Place): Promise<Chain> {
  const found = await newAction(at);
  const path = `${at.workspacePath}/recommended-actions/${found["result_id"]}/dismiss`;
  if (found["result_id"] !== undefined) await at.person.post(path, { reason: "not_relevant" });
  return found;
}

async function anyBrand({ person, workspacePath }: Place) {
  const { body } = await person.get(`${workspacePath}/brands?relationship=mine`);
  return { brand_id: body.data[0].id };
}
