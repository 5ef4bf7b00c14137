import { expect, test } from "vitest";
import { GROUPS } from "../tools/endpoint.ts";
import { endpoints } from "../tools/index.ts";

// Whether an assistant may call an endpoint is decided here, by hand, from interface.md section 1 and the columns T of
// service.md: every GET but account administration, and exactly the writes that are marked for agents. An endpoint that
// stands in no line fails, so that adding one is a decision and never an accident; so does a line without its endpoint.

type Group = (typeof GROUPS)[number];
interface Decided {
  tools: string[];
  /** Why not: each of these says so in the interface too. */
  signIn?: string[];
  accountAdministration?: string[];
  notMarkedForAgents?: string[];
  bulkData?: string[];
}

const DECIDED: Partial<Record<Group, Decided>> = {
  Auth: {
    tools: ["getMe"],
    signIn: ["exchangeApiKey", "refreshToken", "revokeToken"],
    accountAdministration: [
      "updateMe",
      "listSessions",
      "endSession",
      "listAssistants",
      "disconnectAssistant",
      "signOutEverywhere",
      "listApiKeys",
      "getApiKey",
      "createApiKey",
      "rotateApiKey",
      "deleteApiKey",
    ],
  },
  SSO: {
    tools: [],
    signIn: ["exchangeSsoCode"],
    accountAdministration: [
      "getSsoConfiguration",
      "putSsoConfiguration",
      "readSamlMetadata",
      "deleteSsoConfiguration",
      "listOrganizationDomains",
      "addOrganizationDomain",
      "verifyOrganizationDomain",
      "deleteOrganizationDomain",
      "listScimTokens",
      "createScimToken",
      "deleteScimToken",
      "listScimGroups",
      "updateScimGroup",
    ],
  },
  Organizations: {
    tools: ["listOrganizations", "getOrganization", "getCredits", "listCreditLedger"],
    notMarkedForAgents: ["updateOrganization"],
  },
  Members: {
    tools: [],
    accountAdministration: [
      "listMembers",
      "getMember",
      "setMember",
      "removeMember",
      "listInvitations",
      "createInvitation",
      "revokeInvitation",
      "listWorkspaceMembers",
      "getWorkspaceMember",
      "setWorkspaceMember",
      "removeWorkspaceMember",
      "listFavourites",
      "addFavourite",
      "removeFavourite",
      "listAuditLog",
    ],
  },
  Workspaces: {
    tools: ["listWorkspaces", "listOrganizationWorkspaces", "listWorkspaceUsage", "getWorkspace"],
    notMarkedForAgents: ["createWorkspace", "updateWorkspace", "archiveWorkspace", "restoreWorkspace"],
  },
  "Brand Catalog": {
    tools: ["listBrands", "getBrand", "getCatalogReading", "listBrandSuggestions"],
    notMarkedForAgents: [
      "createBrand",
      "updateBrand",
      "deleteBrand",
      "acceptBrandSuggestion",
      "mergeBrandSuggestion",
      "dismissBrandSuggestion",
      "undoBrandSuggestion",
    ],
  },
  Personas: {
    tools: ["listPersonas", "getPersona", "createPersona"],
    notMarkedForAgents: ["updatePersona", "deletePersona"],
  },
  Tags: {
    tools: ["listTags", "getTag", "listOrganizationTags", "getOrganizationTag"],
    notMarkedForAgents: [
      "createTag",
      "updateTag",
      "deleteTag",
      "createOrganizationTag",
      "updateOrganizationTag",
      "deleteOrganizationTag",
      "replaceAnalysisTags",
      "replaceAssetTags",
    ],
  },
  Analyses: {
    tools: [
      "listAnalyses",
      "getAnalysis",
      "listCollects",
      "getCollect",
      "listKeywords",
      "listAnswers",
      "getAnswer",
      // Marked for agents: pricing and creating analyses.
      "priceSearchAnalysis",
      "createSearchAnalysis",
    ],
    bulkData: ["importAnswers"],
  },
  Metrics: { tools: ["listCitations"] },
  "Search Metrics": {
    tools: ["listProjects", "listProjectCollects", "getProjectFilters", "listTopBrands", "listKeywordsMetrics"],
  },
  Assets: { tools: ["listAssets", "getAsset"], notMarkedForAgents: ["createAsset", "archiveAsset"] },
  "Asset Evaluations": {
    tools: [
      "listAssetEvaluations",
      "getAssetEvaluation",
      "listAssetEvaluationScores",
      // Marked for agents: managing evaluations.
      "priceAssetEvaluation",
      "createAssetEvaluation",
      "updateAssetEvaluation",
      "rerunAssetEvaluation",
      "archiveAssetEvaluation",
    ],
  },
  "Recommended Actions": {
    tools: ["listRecommendedActions", "getRecommendedAction", "listRecommendedActionTasks", "getRecommendedActionTask"],
    notMarkedForAgents: [
      "updateRecommendedAction",
      "dismissRecommendedAction",
      "reconsiderRecommendedAction",
      "bulkDismissRecommendedActions",
    ],
  },
  "Recommended Action Brief": {
    tools: ["getRecommendedActionBrief"],
    notMarkedForAgents: ["updateRecommendedActionBrief", "sendRecommendedActionBriefToPartner"],
  },
  "Content Briefs": {
    tools: ["listContentBriefs", "getContentBrief"],
    notMarkedForAgents: ["createContentBrief", "updateContentBrief", "deleteContentBrief"],
  },
  "Platform Integrations": {
    tools: [],
    accountAdministration: [
      "listPlatformIntegrations",
      "connectPartner",
      "disconnectPartner",
      "updatePlatformIntegration",
      "refreshPlatformIntegration",
      "deletePlatformIntegration",
      "listPlatformAccounts",
      "updatePlatformAccount",
    ],
  },
};

const REASONS = {
  signIn: "sign-in",
  accountAdministration: "account administration",
  notMarkedForAgents: "write endpoint not marked for agents",
  bulkData: "bulk data",
} as const;

/** `Group name: tool`, or the reason why not. */
const decisions = Object.entries(DECIDED).flatMap(([group, { tools, ...others }]) => [
  ...tools.map((name) => `${group} ${name}: tool`),
  ...Object.entries(others).flatMap(([why, names]: [string, string[]]) =>
    // The keys of a decision beside its tools are those of the reasons.
    names.map((name) => `${group} ${name}: ${REASONS[why as keyof typeof REASONS]}`),
  ),
]);

test("every endpoint is a tool, or says why not, as was decided for it by hand", () => {
  const told = endpoints.map(({ group, name, notATool }) => `${group} ${name}: ${notATool ?? "tool"}`);
  expect(told.toSorted()).toEqual(decisions.toSorted());
});

test("every GET but sign-in and account administration is a tool, and of the writes those marked for agents alone", () => {
  const reading = endpoints.filter(({ method, notATool }) => method === "GET" && notATool !== undefined);
  expect(reading.map(({ notATool }) => notATool)).toEqual(reading.map(() => REASONS.accountAdministration));
  const writing = endpoints.filter(({ method, notATool }) => method !== "GET" && notATool === undefined);
  const unmarked = writing.filter(
    ({ name }) =>
      !/^(price|create)SearchAnalysis$|^createPersona$|^(price|create|update|rerun|archive)AssetEvaluation$/.test(name),
  );
  expect(unmarked.map(({ name }) => name)).toEqual([]);
  // A read scope must not be enough for a write.
  expect(writing.filter(({ scope }) => scope === undefined || scope === "read").map(({ name }) => name)).toEqual([]);
});
