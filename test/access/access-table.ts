import type { ENDPOINT_GROUPS } from "../../tools/endpoint.ts";
import type { AccessClass } from "../matrix/classes.ts";
import * as seed from "../whole/seeds.ts";
import type { ResourceIds } from "../whole/seeds.ts";

type Body = Record<string, unknown> | string;

/** Decisions about an endpoint. */
export interface AccessRule {
  /** Allowed callers: a class of test/matrix/classes.ts. */
  accessClass: AccessClass;
  /** "tool", or the reason why it is none. */
  agents: "tool" | NotATool;
  /** Requires a recent sign-in: always, except for a key on itself, or with these body fields. */
  recentSignIn?: true | "but of itself" | Record<string, unknown>;
  /** Body of a successful, repeatable call; omitted if an empty one works. */
  body?: Body | ((at: seed.SeedContext) => Body | Promise<Body>);
  /** Creates the target of an endpoint that ends or deletes things other tests need. */
  target?: (at: seed.SeedContext) => Promise<ResourceIds>;
  /**
   * Endpoint that adds a row to this list if no POST at its address can do so repeatedly; null if
   * none can.
   */
  addedBy?: string | null;
}

const SIGN_IN = "sign-in";
const ADMINISTRATION = "account administration";
const NOT_MARKED = "write endpoint not marked for agents";
const BULK_DATA = "bulk data";
type NotATool = typeof SIGN_IN | typeof ADMINISTRATION | typeof NOT_MARKED | typeof BULK_DATA;

/**
 * A line for each endpoint, written by hand from interface.md section 1 and service.md section 2,
 * so that access of a new endpoint is a deliberate decision.
 */
export const ACCESS_TABLE: Record<(typeof ENDPOINT_GROUPS)[number], Record<string, AccessRule>> = {
  Auth: {
    exchangeApiKey: { accessClass: "open", agents: SIGN_IN },
    refreshToken: { accessClass: "open", agents: SIGN_IN },
    revokeToken: { accessClass: "open", agents: SIGN_IN },
    getMe: { accessClass: "person", agents: "tool" },
    updateMe: { accessClass: "mine", agents: ADMINISTRATION, body: () => ({ name: seed.unique("Name") }) },
    listSessions: { accessClass: "mine", agents: ADMINISTRATION, addedBy: null },
    endSession: { accessClass: "key", agents: ADMINISTRATION },
    listAssistants: { accessClass: "mine", agents: ADMINISTRATION, addedBy: null },
    disconnectAssistant: { accessClass: "key", agents: ADMINISTRATION },
    signOutEverywhere: { accessClass: "mine", agents: ADMINISTRATION },
    listApiKeys: { accessClass: "mine", agents: ADMINISTRATION },
    getApiKey: { accessClass: "key", agents: ADMINISTRATION },
    createApiKey: {
      accessClass: "mine",
      agents: ADMINISTRATION,
      recentSignIn: true,
      body: () => ({ name: seed.unique("Key") }),
    },
    rotateApiKey: { accessClass: "key", agents: ADMINISTRATION, recentSignIn: "but of itself", target: seed.newApiKey },
    deleteApiKey: { accessClass: "key", agents: ADMINISTRATION, recentSignIn: "but of itself", target: seed.newApiKey },
  },
  SSO: {
    exchangeSsoCode: { accessClass: "open", agents: SIGN_IN },
    getSsoConfiguration: { accessClass: "own", agents: ADMINISTRATION },
    putSsoConfiguration: {
      accessClass: "own",
      agents: ADMINISTRATION,
      recentSignIn: true,
      body: seed.ssoConfiguration,
    },
    readSamlMetadata: { accessClass: "own", agents: ADMINISTRATION, body: seed.readSamlMetadata },
    deleteSsoConfiguration: { accessClass: "own", agents: ADMINISTRATION, recentSignIn: true },
    listOrganizationDomains: { accessClass: "own", agents: ADMINISTRATION },
    addOrganizationDomain: { accessClass: "own", agents: ADMINISTRATION, recentSignIn: true, body: seed.domain },
    verifyOrganizationDomain: {
      accessClass: "own",
      agents: ADMINISTRATION,
      recentSignIn: true,
      target: seed.publishedDomain,
    },
    listOrganizationDomainAccounts: {
      accessClass: "own",
      agents: ADMINISTRATION,
      target: seed.provenDomain,
      addedBy: null,
    },
    deleteOrganizationDomain: { accessClass: "own", agents: ADMINISTRATION, recentSignIn: true },
    listScimTokens: { accessClass: "own", agents: ADMINISTRATION },
    createScimToken: {
      accessClass: "own",
      agents: ADMINISTRATION,
      recentSignIn: true,
      body: () => ({ name: seed.unique("Provisioning") }),
    },
    deleteScimToken: { accessClass: "own", agents: ADMINISTRATION, recentSignIn: true },
    listScimGroups: { accessClass: "own", agents: ADMINISTRATION, addedBy: null },
    updateScimGroup: {
      accessClass: "own",
      agents: ADMINISTRATION,
      recentSignIn: true,
      body: { organization_role: "viewer" },
    },
  },
  Organizations: {
    listOrganizations: { accessClass: "person", agents: "tool", addedBy: null },
    getOrganization: { accessClass: "read", agents: "tool" },
    updateOrganization: { accessClass: "own", agents: NOT_MARKED, recentSignIn: { owners_need_second_factor: false } },
    getCredits: { accessClass: "read", agents: "tool" },
    listSources: { accessClass: "own", agents: "tool" },
    listCreditLedger: { accessClass: "read", agents: "tool", addedBy: "createSearchAnalysis" },
  },
  Members: {
    listMembers: { accessClass: "own", agents: ADMINISTRATION, addedBy: null },
    getMember: { accessClass: "own", agents: ADMINISTRATION },
    setMember: {
      accessClass: "own",
      agents: ADMINISTRATION,
      recentSignIn: { role: "owner" },
      body: { role: "viewer" },
      target: seed.spareMember,
    },
    removeMember: { accessClass: "expel", agents: ADMINISTRATION, target: seed.spareMember },
    resetSecondFactor: { accessClass: "own", agents: ADMINISTRATION, recentSignIn: true, target: seed.spareMember },
    listInvitations: { accessClass: "own", agents: ADMINISTRATION },
    createInvitation: {
      accessClass: "own",
      agents: ADMINISTRATION,
      recentSignIn: { role: "owner" },
      body: seed.invitation,
    },
    revokeInvitation: { accessClass: "own", agents: ADMINISTRATION, target: seed.newInvitation },
    listWorkspaceMembers: { accessClass: "wadmin", agents: ADMINISTRATION, addedBy: null },
    getWorkspaceMember: { accessClass: "wadmin", agents: ADMINISTRATION },
    setWorkspaceMember: {
      accessClass: "wedit",
      agents: ADMINISTRATION,
      body: { role: "viewer" },
      target: seed.spareMember,
    },
    removeWorkspaceMember: { accessClass: "wexpel", agents: ADMINISTRATION, target: seed.memberOfWorkspace },
    listFavourites: { accessClass: "mine", agents: ADMINISTRATION, addedBy: null },
    addFavourite: { accessClass: "mark", agents: ADMINISTRATION, target: seed.anyAnalysis },
    removeFavourite: { accessClass: "mark", agents: ADMINISTRATION, target: seed.markedAnalysis },
    listAuditLog: { accessClass: "own", agents: ADMINISTRATION, addedBy: "createTag" },
  },
  Workspaces: {
    listWorkspaces: { accessClass: "person", agents: "tool", addedBy: "createWorkspace" },
    listOrganizationWorkspaces: { accessClass: "lists", agents: "tool", addedBy: "createWorkspace" },
    listWorkspaceUsage: { accessClass: "lists", agents: "tool", addedBy: "createWorkspace" },
    getWorkspace: { accessClass: "wread", agents: "tool" },
    createWorkspace: { accessClass: "edit", agents: NOT_MARKED, body: () => ({ name: seed.unique("Workspace") }) },
    updateWorkspace: { accessClass: "wedit", agents: NOT_MARKED },
    archiveWorkspace: { accessClass: "edit", agents: NOT_MARKED, target: seed.newWorkspace },
    restoreWorkspace: { accessClass: "edit", agents: NOT_MARKED, target: seed.newWorkspace },
  },
  "Brand Catalog": {
    listBrands: { accessClass: "wread", agents: "tool" },
    getBrand: { accessClass: "wread", agents: "tool" },
    createBrand: { accessClass: "wedit", agents: NOT_MARKED, body: seed.brand },
    bulkCreateBrands: {
      accessClass: "wedit",
      agents: NOT_MARKED,
      body: () => ({ brands: [seed.brand(), seed.brand()] }),
    },
    updateBrand: { accessClass: "wedit", agents: NOT_MARKED },
    deleteBrand: { accessClass: "wedit", agents: NOT_MARKED, target: seed.newBrand },
    restoreBrand: { accessClass: "wedit", agents: NOT_MARKED },
    listBrandFacts: { accessClass: "wread", agents: "tool" },
    createBrandFact: { accessClass: "wedit", agents: NOT_MARKED, body: seed.brandFact },
    updateBrandFact: { accessClass: "wedit", agents: NOT_MARKED, target: seed.newBrandFact },
    deleteBrandFact: { accessClass: "wedit", agents: NOT_MARKED, target: seed.newBrandFact },
    getCatalogReading: { accessClass: "wread", agents: "tool" },
    listBrandSuggestions: { accessClass: "wread", agents: "tool", addedBy: null },
    acceptBrandSuggestion: { accessClass: "wedit", agents: NOT_MARKED, target: seed.openSuggestion },
    mergeBrandSuggestion: {
      accessClass: "wedit",
      agents: NOT_MARKED,
      body: seed.anyBrand,
      target: seed.openSuggestion,
    },
    dismissBrandSuggestion: { accessClass: "wedit", agents: NOT_MARKED, target: seed.openSuggestion },
    undoBrandSuggestion: { accessClass: "wedit", agents: NOT_MARKED, target: seed.dismissedSuggestion },
  },
  Personas: {
    listPersonas: { accessClass: "wread", agents: "tool" },
    getPersona: { accessClass: "wread", agents: "tool" },
    createPersona: { accessClass: "wedit", agents: "tool", body: seed.persona },
    updatePersona: { accessClass: "wedit", agents: NOT_MARKED },
    deletePersona: { accessClass: "wedit", agents: NOT_MARKED },
  },
  Tags: {
    listTags: { accessClass: "wread", agents: "tool" },
    getTag: { accessClass: "wread", agents: "tool" },
    createTag: {
      accessClass: "wedit",
      agents: NOT_MARKED,
      body: () => ({ name: seed.unique("Tag"), color: "#00AAFF" }),
    },
    updateTag: { accessClass: "wedit", agents: NOT_MARKED },
    deleteTag: { accessClass: "wedit", agents: NOT_MARKED },
    listOrganizationTags: { accessClass: "read", agents: "tool" },
    getOrganizationTag: { accessClass: "read", agents: "tool" },
    createOrganizationTag: {
      accessClass: "edit",
      agents: NOT_MARKED,
      body: () => ({ name: seed.unique("Organization tag") }),
    },
    updateOrganizationTag: { accessClass: "edit", agents: NOT_MARKED },
    deleteOrganizationTag: { accessClass: "edit", agents: NOT_MARKED },
    replaceAnalysisTags: { accessClass: "wedit", agents: NOT_MARKED, body: { tag_ids: [] } },
    replaceAssetTags: { accessClass: "wedit", agents: NOT_MARKED, body: { tag_ids: [] } },
  },
  Analyses: {
    priceBrandAnalysis: { accessClass: "wedit", agents: "tool", body: seed.brandAnalysis },
    createBrandAnalysis: { accessClass: "wedit", agents: "tool", body: seed.confirmedBrandAnalysis },
    priceGeoAudit: { accessClass: "wedit", agents: "tool", body: seed.geoAudit },
    createGeoAudit: { accessClass: "wedit", agents: "tool", body: seed.confirmedGeoAudit },
    listPrompts: { accessClass: "wread", agents: "tool", addedBy: null, target: seed.newBrandAnalysis },
    priceSearchAnalysis: { accessClass: "wedit", agents: "tool", body: seed.searchAnalysis },
    createSearchAnalysis: { accessClass: "wedit", agents: "tool", body: seed.confirmedAnalysis },
    listAnalyses: { accessClass: "wread", agents: "tool", addedBy: "createSearchAnalysis" },
    getAnalysis: { accessClass: "wread", agents: "tool" },
    updateAnalysis: { accessClass: "wedit", agents: NOT_MARKED, body: () => ({ name: seed.unique("Analysis") }) },
    duplicateAnalysis: { accessClass: "wedit", agents: NOT_MARKED },
    priceSetup: { accessClass: "wedit", agents: NOT_MARKED, target: seed.newAnalysis, body: seed.changedSetup },
    changeSetup: { accessClass: "wedit", agents: NOT_MARKED, target: seed.newAnalysis, body: seed.confirmedSetup },
    pauseAnalysis: { accessClass: "wedit", agents: NOT_MARKED, target: seed.newAnalysis },
    resumeAnalysis: { accessClass: "wedit", agents: NOT_MARKED, target: seed.pausedAnalysis },
    archiveAnalysis: { accessClass: "wedit", agents: NOT_MARKED, target: seed.newAnalysis },
    priceCollect: { accessClass: "wedit", agents: NOT_MARKED, target: seed.idleAnalysis },
    runCollect: { accessClass: "wedit", agents: NOT_MARKED, target: seed.idleAnalysis, body: seed.confirmedCollect },
    listCollects: { accessClass: "wread", agents: "tool", addedBy: "importAnswers" },
    getCollect: { accessClass: "wread", agents: "tool" },
    listKeywords: { accessClass: "wread", agents: "tool", addedBy: "importAnswers" },
    listAnswers: { accessClass: "wread", agents: "tool", addedBy: "importAnswers" },
    getAnswer: { accessClass: "wread", agents: "tool" },
    importAnswers: { accessClass: "wedit", agents: BULK_DATA, body: seed.answerLines },
    listExports: { accessClass: "wread", agents: "tool" },
    getExport: { accessClass: "wread", agents: "tool" },
    createExport: { accessClass: "wread", agents: BULK_DATA, body: { what: "catalog", format: "csv" } },
    deleteExport: { accessClass: "wread", agents: BULK_DATA, target: seed.newExport },
    getImportReport: { accessClass: "wread", agents: "tool" },
  },
  "GEO Audits": {
    getAudit: { accessClass: "wread", agents: "tool" },
    listAuditPages: { accessClass: "wread", agents: "tool", addedBy: null },
    getAuditPage: { accessClass: "wread", agents: "tool" },
    updateAuditPage: { accessClass: "wedit", agents: NOT_MARKED, body: { page_type: "article" } },
    listAuditChecks: { accessClass: "person", agents: "tool" },
  },
  Metrics: {
    getVisibility: { accessClass: "wread", agents: "tool", addedBy: null },
    getWorkspaceSummary: { accessClass: "wread", agents: "tool", addedBy: null },
    getBrandAwareness: { accessClass: "wread", agents: "tool", addedBy: null },
    getBrandPerception: { accessClass: "wread", agents: "tool", addedBy: null },
    getAttributes: { accessClass: "wread", agents: "tool", addedBy: null },
    getComparisons: { accessClass: "wread", agents: "tool", addedBy: null },
    explainSpotCheck: { accessClass: "wread", agents: "tool", addedBy: null },
    getMethodGaps: { accessClass: "wread", agents: "tool", addedBy: null },
    listClaims: { accessClass: "wread", agents: "tool", addedBy: null },
    listCitations: { accessClass: "wread", agents: "tool", addedBy: null },
    listQueries: { accessClass: "wread", agents: "tool", addedBy: null },
    explainMetrics: { accessClass: "person", agents: "tool" },
    getCalibration: { accessClass: "person", agents: "tool" },
  },
  "Search Metrics": {
    listProjects: { accessClass: "lists", agents: "tool", addedBy: "createSearchAnalysis" },
    listProjectCollects: { accessClass: "wread", agents: "tool", addedBy: "importAnswers" },
    getProjectFilters: { accessClass: "wread", agents: "tool" },
    listTopBrands: { accessClass: "wread", agents: "tool" },
    listKeywordsMetrics: { accessClass: "wread", agents: "tool" },
  },
  Assets: {
    listAssets: { accessClass: "wread", agents: "tool" },
    getAsset: { accessClass: "wread", agents: "tool" },
    createAsset: { accessClass: "wedit", agents: NOT_MARKED, body: seed.textAsset },
    archiveAsset: { accessClass: "wedit", agents: NOT_MARKED },
  },
  "Asset Evaluations": {
    priceAssetEvaluation: { accessClass: "wedit", agents: "tool", body: seed.assetEvaluation },
    createAssetEvaluation: { accessClass: "wedit", agents: "tool", body: seed.confirmedEvaluation },
    listAssetEvaluations: { accessClass: "wread", agents: "tool" },
    getAssetEvaluation: { accessClass: "wread", agents: "tool" },
    listAssetEvaluationScores: { accessClass: "wread", agents: "tool", addedBy: null },
    updateAssetEvaluation: { accessClass: "wedit", agents: "tool", body: () => ({ name: seed.unique("Evaluation") }) },
    rerunAssetEvaluation: { accessClass: "wedit", agents: "tool", body: seed.confirmedRerun },
    archiveAssetEvaluation: { accessClass: "wedit", agents: "tool", target: seed.newEvaluation },
  },
  "Recommended Actions": {
    listRecommendedActions: { accessClass: "wread", agents: "tool", addedBy: null },
    getRecommendedAction: { accessClass: "wread", agents: "tool" },
    updateRecommendedAction: {
      accessClass: "wedit",
      agents: NOT_MARKED,
      body: { workflow_status: "confirmed" },
      target: seed.newAction,
    },
    dismissRecommendedAction: {
      accessClass: "wedit",
      agents: NOT_MARKED,
      body: { reason: "not_relevant" },
      target: seed.newAction,
    },
    reconsiderRecommendedAction: { accessClass: "wedit", agents: NOT_MARKED, target: seed.dismissedAction },
    bulkDismissRecommendedActions: { accessClass: "wedit", agents: NOT_MARKED, body: seed.bulkDismissal },
    listRecommendedActionTasks: { accessClass: "wread", agents: "tool" },
    getRecommendedActionTask: { accessClass: "wread", agents: "tool" },
  },
  "Recommended Action Brief": {
    getRecommendedActionBrief: { accessClass: "wread", agents: "tool" },
    sendRecommendedActionBriefToPartner: {
      accessClass: "wedit",
      agents: NOT_MARKED,
      body: { due_date: "2036-01-31T12:00:00.000Z" },
    },
    updateRecommendedActionBrief: { accessClass: "wedit", agents: NOT_MARKED },
  },
  "Content Briefs": {
    listContentBriefs: { accessClass: "wread", agents: "tool" },
    getContentBrief: { accessClass: "wread", agents: "tool" },
    createContentBrief: { accessClass: "wedit", agents: NOT_MARKED, body: seed.contentBrief },
    updateContentBrief: { accessClass: "wedit", agents: NOT_MARKED },
    deleteContentBrief: { accessClass: "wedit", agents: NOT_MARKED },
  },
  "Platform Integrations": {
    listPlatformIntegrations: { accessClass: "wadmin", agents: ADMINISTRATION, addedBy: null },
    connectPartner: { accessClass: "wedit", agents: ADMINISTRATION, body: seed.partnerConnection },
    disconnectPartner: { accessClass: "wedit", agents: ADMINISTRATION },
    updatePlatformIntegration: { accessClass: "wedit", agents: ADMINISTRATION, body: { status: "active" } },
    refreshPlatformIntegration: { accessClass: "wedit", agents: ADMINISTRATION },
    deletePlatformIntegration: { accessClass: "wedit", agents: ADMINISTRATION },
    listPlatformAccounts: { accessClass: "wadmin", agents: ADMINISTRATION, addedBy: null },
    updatePlatformAccount: { accessClass: "wedit", agents: ADMINISTRATION, body: { status: "active" } },
  },
};

const RULES_BY_ENDPOINT: Readonly<Record<string, AccessRule>> = Object.assign(
  {},
  ...Object.values(ACCESS_TABLE),
) as Record<string, AccessRule>;

export function findAccessRule(name: string): AccessRule | undefined {
  return RULES_BY_ENDPOINT[name];
}
